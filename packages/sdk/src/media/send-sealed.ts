// Sealed media: object and side objects, then the message that carries their name in the clear and their key sealed.
import type { Message } from '@sealpost/contract';
import { drawUuid } from '@sealpost/contract/ports';
import { type ByteSource, createKeyMaterial, fromBase64, sealMedia, sealVideo, toBase64 } from '@sealpost/crypto';
import type { MediaDeps } from './media-deps.ts';
import type { MediaSealing } from './media-sealing.ts';
import { contentTypeOf, mediaMetadata, sealedSid } from './outgoing.ts';
import type { Sending } from './sending.ts';
import { objectPath } from './stored-object.ts';
import { type Upload, uploadObject } from './upload-object.ts';

/** What sealing adds to the bytes. */
const MAC_BYTES = 32;
/** Where a message that was sent before the process ended is looked for. */
const RECENT = 50;

export async function sendSealed(deps: MediaDeps, sealing: MediaSealing, given: Sending): Promise<Message> {
  const sending = given.sealedPreview ? given : { ...given, media: { ...given.media, preview: undefined } };
  const { to, media, record } = sending;
  const sealed = record.state.sealed ?? {
    keyMaterial: toBase64(createKeyMaterial()),
    requestName: `reqid-${drawUuid(deps.ports.random)}`,
  };
  const sent = sealed.oid === undefined ? undefined : await findSent(deps, sending, sealed.oid);
  if (sent) return sent;
  await record.save({ sealed });
  const oid = await uploadSealed(deps, sending, sealed);
  await record.save({ sealed: { ...sealed, oid } });
  const { message } = await sealing.send(
    {
      to,
      contentType: contentTypeOf[media.kind],
      contentMetadata: { ...mediaMetadata(media), OID: oid, SID: sealedSid[media.kind] },
      media: { keyMaterial: sealed.keyMaterial, fileName: media.name },
    },
    'sealed',
  );
  return message;
}

/** Sealing the same again gives other bytes, which the server takes for another message. The object is the same. */
async function findSent({ gateway }: MediaDeps, { to, patience }: Sending, oid: string): Promise<Message | undefined> {
  const own = gateway.session.current?.mid;
  const recent = await patience.until(() => gateway.call('TalkService.getRecentMessagesV2', to, RECENT));
  return recent.find(({ from, contentMetadata }) => from === own && contentMetadata.OID === oid);
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
