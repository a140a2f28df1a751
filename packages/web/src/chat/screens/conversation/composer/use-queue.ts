// Puts messages from the composer into the outbox.
import type { OutgoingMedia } from '@sealpost/sdk';
import { attempt } from '../../../client/attempt.ts';
import { useRemote } from '../../../client/context.tsx';
import type { Attachments } from './attachments.ts';
import type { Content } from './content.ts';

export interface QueueOptions {
  readonly attachments: Attachments;
  readonly replyTo: string | undefined;
  /** Called when a message is put into the outbox, because the next message is not a reply any more. */
  readonly onQueued: () => void;
}

export function useQueue(chatMid: string, { attachments, replyTo, onQueued }: QueueOptions) {
  const { messaging } = useRemote();
  return {
    /** Sends the attached files, and then the text if there is one. Returns false if that failed. */
    text(said: string, mentions: readonly string[] = []): Promise<boolean> {
      onQueued();
      // If several messages are sent, only the first one is the reply.
      const answers = attachments.store.getState().length === 0 ? replyTo : undefined;
      return attempt(async () => {
        await attachments.send(replyTo);
        if (said !== '') await messaging.queueText(chatMid, said, { replyTo: answers, mentions });
      });
    },
    content(content: Content): void {
      onQueued();
      void attempt(() => messaging.queue({ to: chatMid, ...content }, { replyTo }));
    },
    file(media: OutgoingMedia): void {
      onQueued();
      void attempt(() => messaging.queueFile(chatMid, media, { replyTo }));
    },
  };
}
