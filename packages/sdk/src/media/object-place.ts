// The place of a message's object, and the key that opens it. The fields of the message may come from an attacker.
import { contentTypes, type Message, plainHeaders } from '@sealpost/contract';
import type { MediaKind as SealedKind } from '@sealpost/crypto';
import type { MediaDeps } from './media-deps.ts';
import { MediaError } from './media-error.ts';
import type { MediaPayload, MediaSealing } from './media-sealing.ts';
import { sealedSid } from './outgoing.ts';
import { objectPath } from './stored-object.ts';
import { talkMeta } from './talk-meta.ts';

export interface ObjectPlace {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The sealed part of the message, with the object's key; undefined for plain media. */
  readonly payload: MediaPayload | undefined;
  readonly sealedKind: SealedKind;
}

const SEALED_SIDS: ReadonlySet<string> = new Set(Object.values(sealedSid));

/**
 * Returns the place of a message's object.
 * @throws MediaError with the reason `no-object` or `sealed`
 */
export async function placeOf({ sealing }: Pick<MediaDeps, 'sealing'>, message: Message): Promise<ObjectPlace> {
  const { id, contentMetadata, contentType } = message;
  if (!message.chunks?.length) {
    return { path: objectPath('m', id), headers: {}, payload: undefined, sealedKind: 'other' };
  }
  const { OID, SID } = contentMetadata;
  if (!OID || !SID || !SEALED_SIDS.has(SID)) {
    throw new MediaError('no-object', `The message ${id} does not say where its object is: its OID or SID is missing.`);
  }
  return {
    path: objectPath(SID, OID),
    headers: { [plainHeaders.talkMeta.name]: talkMeta(id) },
    payload: await payloadOf(sealing, message),
    sealedKind: contentType === contentTypes.VIDEO ? 'video' : 'other',
  };
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
