// The message that another one answers, in one line.
import { Trans } from '@lingui/react/macro';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { previewOf } from '../../rows/preview.ts';
import styles from './quote.module.css';

export function Quote({ chatMid, messageId }: { chatMid: string; messageId: string }) {
  const message = useMirror(({ conversations }) =>
    conversations.get(chatMid)?.messages.find(({ id }) => id === messageId),
  );
  const sender = useMirror((state) => (message ? nameOf(state, message.from) : ''));
  const preview = useMirror((state) => (message ? previewOf(message, (mid) => nameOf(state, mid)) : ''));
  return (
    <blockquote className={styles.quote}>
      {message ? (
        <>
          <cite>
            <bdi>{sender}</bdi>
          </cite>
          <span>{preview}</span>
        </>
      ) : (
        <Trans>An earlier message</Trans>
      )}
    </blockquote>
  );
}
