// Forwards the picture, video, sound or file of a message to another chat.

import type { OpenedMedia } from '../media/open-media.ts';
import type { OutgoingMedia } from '../media/outgoing.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { StoredMessage } from '../replica/tables.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';
import type { SentMessage } from '../sealing/send.ts';
import type { SendMode } from '../sealing/send-mode.ts';
import { answerTo } from './draft.ts';

interface Options {
  readonly mode?: SendMode | undefined;
  readonly replyTo?: string | undefined;
  readonly cause?: string | undefined;
}

interface ForwardDeps {
  readonly sealing: Pick<SealingClient, 'formFor'>;
  readonly outbox: Pick<Outbox, 'queue' | 'sent'>;
  openMedia(message: StoredMessage): Promise<OpenedMedia>;
}

interface FileSender {
  sendFile(to: string, media: OutgoingMedia, options: Options & { readonly keepMetadata: true }): Promise<SentMessage>;
}

/** Copies the object if neither the message nor the chat is sealed. Otherwise, downloads it and uploads it again. */
export async function forwardMedia(
  files: FileSender,
  { sealing, outbox, openMedia }: ForwardDeps,
  message: StoredMessage,
  to: string,
  options: Options,
): Promise<SentMessage> {
  const { id, contentType, contentMetadata, chunks } = message;
  const form = await sealing.formFor({ to, contentType }, options.mode).catch(() => undefined);
  if (!chunks?.length && form?.sealed === false) {
    const { mode, cause, replyTo } = options;
    const content = { to, contentType, contentMetadata, ...answerTo(replyTo) };
    return outbox.sent(await outbox.queue(content, { mode, cause, copyOf: id }));
  }
  const opened = await openMedia(message);
  const { kind, name = kind, size } = opened;
  const media = { kind, name, bytes: { size, stream: () => opened.bytes() }, ...aboutMedia(contentMetadata) };
  // The first sender of a picture has already decided about its metadata.
  return files.sendFile(to, media, { ...options, keepMetadata: true });
}

/** Returns what only the message tells about its object. Another person wrote it, so every value is checked. */
function aboutMedia({ DURATION, AUDLEN, MEDIA_CONTENT_INFO = '' }: StoredMessage['contentMetadata']) {
  const duration = Number(DURATION ?? AUDLEN);
  return {
    ...(duration >= 0 && Number.isFinite(duration) && { duration }),
    ...(/"animated":\s*true/.test(MEDIA_CONTENT_INFO) && { animated: true }),
  };
}
