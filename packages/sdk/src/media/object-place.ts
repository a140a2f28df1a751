// The place of a message's object, and the key that opens it. The fields of the message may come from an attacker, so
// they are checked.
import { contentTypes, type Message, plainHeaders } from '@sealpost/contract';
import type { MediaKind as SealedKind } from '@sealpost/crypto';
import type { MediaDeps } from './media-deps.ts';
import { MediaError } from './media-error.ts';
import type { MediaPayload, MediaSealing } from './media-sealing.ts';
import { sealedSid } from './outgoing.ts';
import { objectPath } from './stored-object.ts';
import { talkMeta } from './talk-meta.ts';

export interface ObjectAddress {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ObjectPlace extends ObjectAddress {
  /** The sealed part of the message, with the object's key; undefined for plain media. */
  readonly payload: MediaPayload | undefined;
  readonly sealedKind: SealedKind;
}

const SEALED_SIDS: ReadonlySet<string> = new Set(Object.values(sealedSid));

/**
 * Returns the address of a message's object.
 * @throws MediaError with the reason `no-object`
 */
export function addressOf({ id, contentMetadata, chunks }: Message): ObjectAddress {
  if (!chunks?.length) return { path: objectPath('m', id), headers: {} };
  const { OID, SID } = contentMetadata;
  if (!OID || !SID || !SEALED_SIDS.has(SID)) {
    throw new MediaError('no-object', `The message ${id} does not say where its object is: its OID or SID is missing.`);
  }
  return { path: objectPath(SID, OID), headers: { [plainHeaders.talkMeta.name]: talkMeta(id) } };
}

/**
 * Returns the place of a message's object, with the key that opens it.
 * @throws MediaError with the reason `no-object` or `sealed`
 */
export async function placeOf({ sealing }: Pick<MediaDeps, 'sealing'>, message: Message): Promise<ObjectPlace> {
  const address = addressOf(message);
  if (!message.chunks?.length) return { ...address, payload: undefined, sealedKind: 'other' };
  const payload = await payloadOf(sealing, message);
  return { ...address, payload, sealedKind: message.contentType === contentTypes.VIDEO ? 'video' : 'other' };
}

async function payloadOf(sealing: MediaSealing | undefined, message: Message): Promise<MediaPayload> {
  const opened = await sealing?.open(message);
  if (opened?.media) return opened.media;
  const why =
    opened?.sealing.state === 'unopened'
      ? `${opened.sealing.cause}. What helps: ${opened.sealing.remedy}`
      : 'this client has no keys';
  throw new MediaError('sealed', `The message ${message.id} cannot be opened: ${why}.`);
}
