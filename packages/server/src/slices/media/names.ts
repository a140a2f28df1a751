// Reads facts from the name and the place of an object: its kind, and the main object that a preview or hash belongs
// to.

import type { Random } from '@sealpost/contract/ports';
import { randomBase64url, randomHex } from '../../platform/kernel/random-text.ts';
import { keySpaces } from '../../platform/objects/objects.ts';
import type { ObjectPath } from '../../platform/rpc/object-paths.ts';

/**
 * Kinds of objects. `plain`: media of a message; the name is the message's id. `sealed`: bytes that only clients can
 * open; the server draws the name. `picture`: a profile's or group's picture, which everybody may read. `cover`: a
 * home's cover, which everybody with a channel token may read.
 */
export type ObjectKind = 'plain' | 'sealed' | 'picture' | 'cover';

export const COVER_PLACE = 'myhome/c';

const KINDS: Readonly<Record<string, ObjectKind>> = {
  'talk/m': 'plain',
  'talk/emi': 'sealed',
  'talk/emv': 'sealed',
  'talk/ema': 'sealed',
  'talk/emf': 'sealed',
  'talk/p': 'picture',
  [COVER_PLACE]: 'cover',
};

/** All places that hold objects, as `<service>/<sid>`. */
export const objectPlaces: readonly string[] = Object.keys(KINDS);

export const kindOf = ({ service, sid }: Pick<ObjectPath, 'service' | 'sid'>): ObjectKind | undefined =>
  KINDS[`${service}/${sid}`];

/** Returns the place of an object as its row stores it, `<service>/<sid>`. */
export const placeOf = ({ service, sid }: Pick<ObjectPath, 'service' | 'sid'>): string => `${service}/${sid}`;

export const kindAt = (place: string): ObjectKind | undefined => KINDS[place];

/** The category in the row of a preview that the server created. */
export const MADE = 'made';

export type Side = 'preview' | 'hash';

const SIDE = /^(.{1,100})__ud-(preview|hash)$/;

export const sideName = (base: string, side: Side): string => `${base}__ud-${side}`;

/**
 * Returns the name of the main object. If the given name is that of a preview or hash, also returns which of the two:
 * `X__ud-preview` is the preview of `X`.
 */
export function splitOid(oid: string): { readonly base: string; readonly side: Side | undefined } {
  const match = SIDE.exec(oid);
  return match ? { base: match[1] as string, side: match[2] as Side } : { base: oid, side: undefined };
}

const REQUEST = /^reqid-[A-Za-z0-9-]{1,64}$/;

/** Returns whether a client chose the name for its upload. The server then draws another name for the object. */
export const isRequestName = (oid: string): boolean => REQUEST.test(oid);

export const requestName = ({ service, sid, oid }: ObjectPath): string => `${service}/${sid}/${oid}`;

const MESSAGE_ID = /^\d{1,16}$/;

export const messageIdOf = (oid: string): number | undefined => (MESSAGE_ID.test(oid) ? Number(oid) : undefined);

const OID_BYTES = 24;
const KEY_BYTES = 16;

/** Returns a new random key for the bytes of an object. Clients never see this key. */
export const drawKey = (random: Random): string => keySpaces.media + randomHex(random, KEY_BYTES).slice(1);
/** Returns a new random object name that nobody can guess. */
export const drawOid = (random: Random): string => randomBase64url(random, OID_BYTES);
