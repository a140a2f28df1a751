// Sealed media: object and side objects, then the message that carries their name in the clear and their key sealed.
import type { Message } from '@sealpost/contract';
import { type ByteSource, createKeyMaterial, fromBase64, sealMedia, sealVideo, toBase64 } from '@sealpost/crypto';
import type { Draft } from '../draft.ts';
import type { MediaDeps } from './media-deps.ts';
import type { MediaSealing } from './media-sealing.ts';
import { mediaMetadata, sealedSid } from './outgoing.ts';
import type { Sending } from './send-media.ts';
import { objectPath } from './stored-object.ts';
import { type Upload, uploadObject } from './upload-object.ts';

/** What sealing adds to the bytes. */
const MAC_BYTES = 32;
/** Keys may change while we look them up; three times in a row is something else. */
const SEALINGS = 3;

export async function sendSealed(deps: MediaDeps, sending: Sending): Promise<Message> {
  const { record } = sending;
  const sealing = deps.sealing as MediaSealing;
  const sealed = record.state.sealed ?? {
    keyMaterial: toBase64(createKeyMaterial()),
    requestName: `reqid-${globalThis.crypto.randomUUID()}`,
  };
  await record.save({ sealed });
  let oid: string | undefined;
  for (let sealings = record.state.draft ? 0 : 1; ; sealings++) {
    let { draft } = record.state;
    if (!draft) {
      oid ??= await uploadSealed(deps, sending, sealed);
      draft = await sealedDraft(sealing, sending, sealed.keyMaterial, oid);
      await record.save({ draft });
    }
    try {
      return await sending.deliver(draft);
    } catch (error) {
      if (!sealing.isOutdated(error) || sealings >= SEALINGS) throw error;
      await record.save({ draft: undefined });
    }
  }
}

async function sealedDraft(
  sealing: MediaSealing,
  { to, media, draft }: Sending,
  keyMaterial: string,
  oid: string,
): Promise<Draft> {
  const contentMetadata = { ...mediaMetadata(media), OID: oid, SID: sealedSid[media.kind] };
  const { message, reqSeq } = draft({ contentMetadata });
  return { reqSeq, message: await sealing.seal({ ...message, to }, { keyMaterial, fileName: media.name }) };
}

async function uploadSealed(
  deps: MediaDeps,
  { media, record, patience, onOffset }: Sending,
  { keyMaterial, requestName }: { keyMaterial: string; requestName: string },
): Promise<string> {
  const { kind, bytes, preview } = media;
  const sid = sealedSid[kind];
  const key = fromBase64(keyMaterial);
  const upload = (object: Pick<Upload, 'path' | 'size' | 'open' | 'onOffset'>): Promise<string> =>
    uploadObject(
      { storage: deps.storage, clock: deps.ports.clock, patience },
      // The name is in the message, sealed.
      { ...object, params: { name: sid, type: 'file' }, resumed: record.resumed },
    );

  let hashes = (): Uint8Array<ArrayBuffer> => new Uint8Array();
  const seal = (): ByteSource => {
    if (kind !== 'video') return sealMedia(key, bytes.stream());
    const video = sealVideo(key, bytes.stream());
    hashes = video.hashes;
    return video.blob;
  };
  const path = objectPath(sid, requestName);
  const oid = await upload({ path, size: bytes.size + MAC_BYTES, open: seal, onOffset });
  if (kind === 'video') {
    const list = hashes();
    await upload({ path: objectPath(sid, `${oid}__ud-hash`), size: list.length, open: () => [list] });
  }
  if (preview) {
    const open = () => sealMedia(key, [preview.bytes]);
    await upload({ path: objectPath(sid, `${oid}__ud-preview`), size: preview.bytes.length + MAC_BYTES, open });
  }
  return oid;
}
