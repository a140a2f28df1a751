// Sends sealed media: first the object, its hashes and its preview, then the message. In the message, the name of the
// object is readable, and its key is sealed.
import type { Message } from '@sealpost/contract';
import { drawUuid } from '@sealpost/contract/ports';
import { type ByteSource, createKeyMaterial, fromBase64, sealMedia, sealVideo, toBase64 } from '@sealpost/crypto';
import { answerTo } from '../messaging/draft.ts';
import type { MediaDeps } from './media-deps.ts';
import type { MediaSealing } from './media-sealing.ts';
import { contentTypeOf, mediaMetadata, sealedSid } from './outgoing.ts';
import { findSent, type Sent } from './send-once.ts';
import type { Sending } from './sending.ts';
import { objectPath } from './stored-object.ts';
import { type Upload, uploadObject } from './upload-object.ts';

/** Number of bytes that sealing adds: a MAC at the end. */
const MAC_BYTES = 32;

export async function sendSealed(deps: MediaDeps, sealing: MediaSealing, sending: Sending): Promise<Message> {
  const { to, media, record } = sending;
  const sealed = record.state.sealed ?? {
    keyMaterial: toBase64(createKeyMaterial()),
    requestName: `reqid-${drawUuid(deps.ports.random)}`,
  };
  const sent = await findSealed(deps, sending, sealed.oid);
  if (sent) return sent;
  await record.save({ sealed });
  const oid = await uploadSealed(deps, sending, sealed);
  await record.save({ sealed: { ...sealed, oid } });
  const { message } = await sealing.send(
    {
      to,
      contentType: contentTypeOf[media.kind],
      // The message names the size of the preview even if no preview is sent, so that receivers know the shape of the
      // picture.
      contentMetadata: { ...mediaMetadata(media), OID: oid, SID: sealedSid[media.kind] },
      ...answerTo(sending.replyTo),
      media: { keyMaterial: sealed.keyMaterial, fileName: media.name },
    },
    'sealed',
  );
  return message;
}

/**
 * Finds the message if an earlier run has sent it. Sealing the same content again gives other bytes, so the server
 * would store a second message. The id of the object stays the same, so it identifies the message.
 */
export const findSealed = async (deps: MediaDeps, sent: Sent, oid: string | undefined): Promise<Message | undefined> =>
  oid === undefined ? undefined : findSent(deps, sent, ({ contentMetadata }) => contentMetadata.OID === oid);

async function uploadSealed(
  deps: MediaDeps,
  { media, sealedPreview, record, patience, onOffset }: Sending,
  { keyMaterial, requestName }: { keyMaterial: string; requestName: string },
): Promise<string> {
  const { kind, bytes, preview } = media;
  const sid = sealedSid[kind];
  const key = fromBase64(keyMaterial);
  const upload = (object: Pick<Upload, 'path' | 'size' | 'open' | 'onOffset'>): Promise<string> =>
    uploadObject(
      { storage: deps.storage, clock: deps.ports.clock, patience },
      // The file's real name is sealed in the message, so the parameters of the object have a neutral name.
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
  if (preview && sealedPreview) {
    const open = () => sealMedia(key, [preview.bytes]);
    await upload({ path: objectPath(sid, `${oid}__ud-preview`), size: preview.bytes.length + MAC_BYTES, open });
  }
  return oid;
}
