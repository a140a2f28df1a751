// The quote in a reply: the message to which it replies, in one line. Pressing the quote goes to that message.
import { Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { previewOf } from '../../rows/preview.ts';
import { useConversationView, useViewState } from './conversation-view.ts';
import styles from './quote.module.css';

/** Returns a message of a chat. If it is not among the loaded messages, only this message is read from the server. */
function useMessage(chatMid: string, messageId: string): StoredMessage | undefined {
  const remote = useRemote();
  const loaded = useMirror(({ conversations }) =>
    conversations.get(chatMid)?.messages.find(({ id }) => id === messageId),
  );
  const [fetched, setFetched] = useState<StoredMessage>();
  const isMissing = loaded === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let gone = false;
    // Without a connection, the quote is shown without the text of the message.
    remote.messaging.get([messageId]).then(
      ([message]) => gone || setFetched(message),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [isMissing, messageId, remote]);
  return loaded ?? fetched;
}

export function QuotedText({ chatMid, messageId }: { chatMid: string; messageId: string }) {
  const message = useMessage(chatMid, messageId);
  const sender = useMirror((state) => (message ? nameOf(state, message.from) : ''));
  const preview = useMirror((state) => (message ? previewOf(message, (mid) => nameOf(state, mid)) : ''));
  if (!message) return <Trans>An earlier message</Trans>;
  return (
    <>
      <cite>
        <bdi>{sender}</bdi>
      </cite>
      <span dir="auto">{preview}</span>
    </>
  );
}

export interface QuoteProps {
  readonly chatMid: string;
  readonly messageId: string;
  /** The id of the message that contains the quote. */
  readonly from: string;
}

export function Quote({ chatMid, messageId, from }: QuoteProps) {
  const { t } = useLingui();
  const { jump } = useConversationView();
  const tabIndex = useViewState(({ active }) => (active === from ? 0 : -1));
  return (
    <blockquote>
      <button
        type="button"
        className={styles.quote}
        title={t`Go to this message`}
        tabIndex={tabIndex}
        onClick={() => jump(messageId, from)}
      >
        <QuotedText chatMid={chatMid} messageId={messageId} />
      </button>
    </blockquote>
  );
}
