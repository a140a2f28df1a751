// Sends a message of the outbox that forwards a picture, video, sound or file.
import { contentTypes, type Message } from '@sealpost/contract';
import type { Media } from '../media/index.ts';
import type { MediaSource } from '../media/outgoing.ts';
import type { UploadStore } from '../media/upload-store.ts';
import type { KeptFile } from '../outbox/kept-files.ts';
import type { ObjectOptions, Outgoing, OutgoingFile } from '../outbox/outgoing.ts';
import type { StoredMessage } from '../replica/tables.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';

interface ForwardDeps {
  readonly sealing: Pick<SealingClient, 'formFor'>;
  readonly media: Pick<Media, 'copy' | 'open'>;
  readonly account: {
    readonly uploads: UploadStore;
    keepFile(source: MediaSource): Promise<KeptFile>;
  };
  sendFile(file: OutgoingFile): Promise<Message>;
}

/** Copies the object if neither the message nor the chat is sealed. Otherwise, downloads it and uploads it again. */
export async function forwardMedia(
  { sealing, media, account, sendFile }: ForwardDeps,
  { chatMid, localId, content, mode, source, copyOf, firstAttempt }: Outgoing,
  { signal, update }: ObjectOptions,
): Promise<Message> {
  const { contentType = contentTypes.FILE, contentMetadata = {}, relatedMessageId } = content;
  // A copy that has begun is continued, because its message is in the chat already.
  if (source && !(await account.uploads.load(localId))) {
    const form = await sealing.formFor({ to: chatMid, contentType }, mode);
    if (source.chunks?.length || form.sealed) {
      const opened = await media.open(source, { signal });
      const { kind, name = kind, size } = opened;
      const kept = await account.keepFile({ size, stream: () => opened.bytes() });
      // The first sender of a picture has already decided about its metadata.
      const file = { kind, name, ...kept, ...aboutMedia(contentMetadata), keepMetadata: true };
      // A later attempt does not download it again.
      await update((now) => ({ ...now, file }));
      signal.throwIfAborted();
      return sendFile(file);
    }
  }
  const copied = { id: copyOf ?? '', contentType, contentMetadata };
  const replyTo = relatedMessageId === undefined ? undefined : String(relatedMessageId);
  return media.copy(chatMid, copied, { resumeKey: localId, replyTo, after: firstAttempt?.after, signal });
}

/** Returns what only the message tells about its object. Another person wrote it, so every value is checked. */
function aboutMedia({ DURATION, AUDLEN, MEDIA_CONTENT_INFO = '' }: StoredMessage['contentMetadata']) {
  const duration = Number(DURATION ?? AUDLEN);
  return {
    ...(duration >= 0 && Number.isFinite(duration) && { duration }),
    ...(/"animated":\s*true/.test(MEDIA_CONTENT_INFO) && { animated: true }),
  };
}
