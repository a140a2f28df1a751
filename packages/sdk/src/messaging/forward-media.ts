// Forwards the picture, video, sound or file of a message to another chat.
import type { StoredMessage } from '../replica/tables.ts';
import type { SentMessage } from '../sealing/send.ts';
import { answerTo } from './draft.ts';
import type { Messaging, MessagingDeps, SendOptions } from './messaging.ts';

/** Copies the object if neither the message nor the chat is sealed. Otherwise, downloads it and uploads it again. */
export async function forwardMedia(
  { sealing, openMedia, account }: MessagingDeps,
  messaging: Pick<Messaging, 'sendFile'>,
  message: StoredMessage,
  to: string,
  options: SendOptions,
): Promise<SentMessage> {
  const { id, contentType, contentMetadata, chunks } = message;
  const form = await sealing.formFor({ to, contentType }, options.mode).catch(() => undefined);
  if (!chunks?.length && form?.sealed === false) {
    const { mode, cause, replyTo } = options;
    const content = { to, contentType, contentMetadata, ...answerTo(replyTo) };
    const { outbox } = account();
    return outbox.sent(await outbox.queue(content, { mode, cause, copyOf: id }));
  }
  const opened = await openMedia(message);
  const { kind, name = kind, size } = opened;
  const media = { kind, name, bytes: { size, stream: () => opened.bytes() }, ...aboutMedia(contentMetadata) };
  // The first sender of a picture has already decided about its metadata.
  return messaging.sendFile(to, media, { ...options, keepMetadata: true });
}

/** Returns what only the message tells about its object. Another person wrote it, so every value is checked. */
function aboutMedia({ DURATION, AUDLEN, MEDIA_CONTENT_INFO = '' }: StoredMessage['contentMetadata']) {
  const duration = Number(DURATION ?? AUDLEN);
  return {
    ...(duration >= 0 && Number.isFinite(duration) && { duration }),
    ...(/"animated":\s*true/.test(MEDIA_CONTENT_INFO) && { animated: true }),
  };
}
