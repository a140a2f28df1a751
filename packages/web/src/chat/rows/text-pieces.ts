// Cuts a text into plain pieces, links and mentions. Nothing of a message is ever read as HTML.
import type { StoredMessage } from '@sealpost/sdk';

export interface Piece {
  readonly kind: 'text' | 'link' | 'mention';
  readonly text: string;
  /** Where it begins in the text, in UTF-16 code units. */
  readonly start: number;
  /** The address of a link. */
  readonly href?: string;
}

const LINK = /https?:\/\/[^\s<>"'“”]+/giu;
/** Signs at the end of an address that belong to the sentence around it. */
const AFTER_LINK = /[.,;:!?、。，！？）)\]}]+$/u;

interface MentionRange {
  readonly start: number;
  readonly end: number;
}

export function piecesOf({ text = '', contentMetadata }: Pick<StoredMessage, 'text' | 'contentMetadata'>): Piece[] {
  const marked: Piece[] = mentionRanges(text, contentMetadata.MENTION).map(({ start, end }) => ({
    kind: 'mention',
    text: text.slice(start, end),
    start,
  }));
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const address = found.replace(AFTER_LINK, '');
    const isInside = marked.some(
      (piece) => index < piece.start + piece.text.length && piece.start < index + address.length,
    );
    if (!isInside && URL.canParse(address)) marked.push({ kind: 'link', text: address, start: index, href: address });
  }
  marked.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const piece of marked) {
    if (piece.start < at) continue;
    if (piece.start > at) pieces.push({ kind: 'text', text: text.slice(at, piece.start), start: at });
    pieces.push(piece);
    at = piece.start + piece.text.length;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at), start: at });
  return pieces;
}

/** Returns where the mentions of a text are. Those that are malformed or outside of the text are left out. */
function mentionRanges(text: string, metadata: string | undefined): MentionRange[] {
  try {
    const { MENTIONEES = [] } = JSON.parse(metadata ?? '{}') as { MENTIONEES?: { S: string; E: string }[] };
    return MENTIONEES.map(({ S, E }) => ({ start: Number(S), end: Number(E) })).filter(
      ({ start, end }) =>
        Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length,
    );
  } catch {
    return [];
  }
}
