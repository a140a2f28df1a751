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
  readonly onReplyTo: (messageId: string | undefined) => void;
}

export function useQueue(chatMid: string, { attachments, replyTo, onReplyTo }: QueueOptions) {
  const { messaging } = useRemote();
  return {
    /** Sends the attached files, and then the text if there is one. Returns false if that failed. */
    async text(said: string, mentions: readonly string[] = []): Promise<boolean> {
      onReplyTo(undefined);
      const files = attachments.store.getState().length;
      // If several messages are sent, only the first one is the reply.
      const answers = files === 0 ? replyTo : undefined;
      const done = await attempt(async () => {
        await attachments.send(replyTo);
        if (said !== '') await messaging.queueText(chatMid, said, { replyTo: answers, mentions });
      });
      if (!done && attachments.store.getState().length >= files) onReplyTo(replyTo);
      return done;
    },
    content(content: Content): void {
      onReplyTo(undefined);
      void attempt(() => messaging.queue({ to: chatMid, ...content }, { replyTo }));
    },
    file(media: OutgoingMedia): void {
      onReplyTo(undefined);
      void attempt(() => messaging.queueFile(chatMid, media, { replyTo }));
    },
  };
}
