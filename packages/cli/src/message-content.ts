// Makes the content of a message from the arguments of `send`.
import { contentTypes, isMid } from '@sealpost/contract';
import type { MediaKind, RpcClient } from '@sealpost/sdk';
import type { Connection } from './connection.ts';
import { withOwnedEmoji } from './emoji.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { readAll } from './password.ts';
import { resolveRecipient } from './people.ts';

/** The options of `send` that give the content of a message. The user must give exactly one content. */
export interface GivenContent {
  readonly sticker?: string;
  readonly file?: string;
  readonly image?: string;
  readonly audio?: string;
  readonly video?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly emoji?: readonly string[];
}

type OutgoingMessage = Parameters<RpcClient['send']>[0];
type Content = Omit<OutgoingMessage, 'to'>;

export const mediaKinds = ['file', 'image', 'audio', 'video'] as const satisfies readonly MediaKind[];
const others = ['sticker', 'emoji', 'location', 'contact'] as const;
/**
 * The options that may be combined with a text. With `location`, the text is the name of the place; with `emoji`, the
 * text contains the emoji.
 */
const withText = ['emoji', 'location'] as const;
const LONGITUDES = 180;
const LATITUDES = 90;

/** Throws unless the user gave exactly one content. Only emoji and a location may be combined with a text. */
export function requireOneContent(text: string | undefined, given: GivenContent): void {
  const set: string[] = [...mediaKinds, ...others]
    .filter((name) => given[name] !== undefined)
    .map((name) => `--${name}`);
  const named = set.length === 1 && withText.some((name) => given[name] !== undefined);
  if (text !== undefined && !named) set.unshift('a text');
  if (set.length === 1) return;
  const wanted = `a text in quotes, or one of ${[...mediaKinds, ...others].map((name) => `--${name}`).join(', ')}`;
  throw new CliError(
    set.length === 0
      ? `Nothing to send: give ${wanted}.`
      : `One message has one content, not ${set.join(' and ')}: send them one after the other.`,
    exitCodes.usage,
  );
}

/** Returns the content that the options describe: a sticker, a place, a contact, or else the text. */
export async function contentGiven(
  connection: Connection,
  text: string | undefined,
  { sticker, emoji, location, contact }: GivenContent,
): Promise<Content> {
  if (sticker !== undefined) return stickerOf(sticker);
  if (location !== undefined) return locationOf(location, text);
  if (contact !== undefined) return contactOf(connection, contact);
  const content = (text === '-' ? (await readAll()).replace(/\r?\n$/, '') : text) ?? '';
  return {
    contentType: contentTypes.NONE,
    ...(emoji ? await withOwnedEmoji(connection.client, content, emoji) : { text: content }),
  };
}

function stickerOf(sticker: string): Content {
  const [, STKPKGID, STKID] = /^([\w-]+)\/(\d+)$/.exec(sticker) ?? [];
  if (STKPKGID === undefined || STKID === undefined) {
    throw new CliError(`--sticker must be <pack>/<sticker>, for example 1/3, not "${sticker}".`, exitCodes.usage);
  }
  return { contentType: contentTypes.STICKER, contentMetadata: { STKPKGID, STKID, STKVER: '1' } };
}

function locationOf(place: string, title: string | undefined): Content {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(place) ?? [];
  const location = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!(Math.abs(location.latitude) <= LATITUDES && Math.abs(location.longitude) <= LONGITUDES)) {
    throw new CliError(
      `--location must be <latitude>,<longitude> in degrees, for example 53.55,9.99, not "${place}".`,
      exitCodes.usage,
    );
  }
  return { contentType: contentTypes.LOCATION, location: { ...(title !== undefined && { title }), ...location } };
}

async function contactOf({ client, contacts, profile }: Connection, who: string): Promise<Content> {
  const mid = await resolveRecipient(contacts, who);
  if (!isMid(mid) || !mid.startsWith('u'))
    throw new CliError(`--contact must be a user, not "${who}".`, exitCodes.usage);
  const { displayName } =
    (mid === client.session?.mid ? await profile.get() : (await contacts.get([mid])).get(mid)) ?? {};
  if (!displayName) throw new CliError(`There is no user "${who}" whose contact could be sent.`);
  return { contentType: contentTypes.CONTACT, contentMetadata: { mid, displayName } };
}
