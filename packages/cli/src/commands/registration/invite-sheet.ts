// A sheet of invitations as one HTML file, to be printed on A4 and cut. It needs no network and no server. Each card is
// one line that names its invite, so that a later import knows which people are on the sheet. The file needs no closing
// tags at its end. So the sheet of an interrupted import is valid up to its last card.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderSVG } from 'uqr';
import { CliError } from '../../exit-codes.ts';
import { systemCause, writeFault } from '../../file-faults.ts';
import { requireReplaceable } from '../../replaceable.ts';

export interface Card {
  readonly id: string;
  readonly userid: string;
  readonly name: string;
  readonly from: string | undefined;
  readonly link: string;
  readonly expires: string | undefined;
}

/** A card that is already on a sheet. */
export interface SheetCard {
  readonly id: string;
  readonly userid: string;
  readonly html: string;
}

const STYLE = `
  @page { size: A4; margin: 12mm; }
  * { box-sizing: border-box; }
  body { margin: 0; font: 11pt/1.35 system-ui, sans-serif; color: #000; background: #fff; }
  main { display: grid; grid-template-columns: 1fr 1fr; }
  article { break-inside: avoid; height: 66mm; padding: 5mm; border: 0.2mm dashed #888; margin: -0.1mm;
    display: grid; grid-template-columns: 38mm 1fr; gap: 4mm; overflow: hidden; }
  svg { width: 38mm; height: 38mm; display: block; }
  h2 { margin: 0 0 1mm; font-size: 13pt; overflow-wrap: anywhere; }
  p { margin: 0 0 1mm; }
  .link { grid-column: 1 / -1; font: 8.5pt/1.3 ui-monospace, monospace; overflow-wrap: anywhere; }
  .small { font-size: 9pt; }
  @media screen { body { padding: 1rem; } main { max-width: 200mm; margin: auto; } }
  @media screen and (max-width: 40rem) { main { grid-template-columns: 1fr; } article { height: auto; } }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const head = (title: string): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
<main>
`;

/** Returns a card as one line. */
function cardHtml({ id, userid, name, from, link, expires }: Card): string {
  const { host } = new URL(link);
  const svg = renderSVG(link, { border: 0 }).replaceAll(/\s*\n\s*/g, ' ');
  const lines = [
    `<article data-invite="${escaped(id)}" data-userid="${escaped(userid)}">`,
    `<div role="img" aria-label="QR code of the link below">${svg}</div><div>`,
    `<h2>${escaped(name)}</h2><p>${from ? `${escaped(from)} invites you to <b>${escaped(host)}</b>.` : `You are invited to <b>${escaped(host)}</b>.`}</p>`,
    '<p class="small">Scan the code with the camera of your phone, or type the link into a browser.</p>',
    `<p class="small">Proposed user id: <b>${escaped(userid)}</b></p>`,
    expires ? `<p class="small">Until ${escaped(expires.slice(0, 10))}</p>` : '',
    `</div><p class="link">${escaped(link)}</p></article>`,
  ];
  return lines.join('').replaceAll(/[\r\n]+/g, ' ');
}

const CARD = /^<article data-invite="(\d+)" data-userid="([^"]*)">.*<\/article>$/;

/** Returns the cards of a sheet; none if there is no such file. @throws CliError if it cannot be read */
export function cardsOn(path: string): readonly SheetCard[] {
  if (!existsSync(path)) return [];
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      const [html, id, userid] = CARD.exec(line) ?? [];
      return html === undefined || id === undefined || userid === undefined ? [] : [{ html, id, userid }];
    });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(
      `The sheet ${resolve(path)} cannot be read: ${systemCause(error)}. Nothing was created. Name another file with --invite-sheet.`,
    );
  }
}

export interface Sheet {
  /** Adds a card. When the function returns, the card is in the file. */
  add(card: Card): void;
}

/**
 * Writes a sheet with the cards to keep, and returns the sheet. Only the user may read the file, because it contains
 * codes.
 * @throws CliError if the sheet cannot be written; nothing must have been created yet
 */
export function openSheet(path: string, title: string, staying: readonly SheetCard[]): Sheet {
  const fresh = `${path}.new`;
  try {
    requireReplaceable(path);
    writeFileSync(fresh, head(title) + staying.map(({ html }) => `${html}\n`).join(''), { mode: 0o600 });
    renameSync(fresh, path);
  } catch (error) {
    const { message } = error instanceof CliError ? error : writeFault(path, error);
    throw new CliError(`Nothing was created, because the sheet ${message}`);
  }
  return { add: (card) => add(path, card) };
}

function add(path: string, card: Card): void {
  try {
    appendFileSync(path, `${cardHtml(card)}\n`, { flush: true });
  } catch (error) {
    throw new CliError(
      `The invitation of ${card.userid} is not on the sheet, because ${writeFault(path, error).message} Then repeat the command: it does what is missing.`,
    );
  }
}
