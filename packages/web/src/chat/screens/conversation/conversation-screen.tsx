// The screen of a chat: its header, its messages, and the composer.
import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Empty } from '../../../design/empty.tsx';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import { Composer } from './composer/composer.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import styles from './conversation-screen.module.css';
import { Invitation } from './invitation.tsx';
import { MessageList } from './message-list.tsx';
import { OtherSide } from './other-side.tsx';

const Details = lazy(() => import('./details/details.tsx'));

export interface ConversationScreenProps {
  readonly chatMid: string;
  /** True if the details of the chat are open. */
  readonly details: boolean;
}

export default function ConversationScreen({ chatMid, details }: ConversationScreenProps) {
  const { t } = useLingui();
  const mirror = useMirrorActions();
  const isKnown = useMirror(({ chats, contacts }) => chats.has(chatMid) || contacts.has(chatMid));
  const invited = useMirror(({ chats }) => chats.get(chatMid)?.invited ?? false);
  useEffect(() => {
    // An account that is only invited may not read the messages.
    if (!invited) void mirror.openConversation(chatMid);
  }, [mirror, chatMid, invited]);
  if (!isKnown) {
    return (
      <Empty icon={<SearchX />} title={t`This chat is not here`}>
        <Trans>You may have left it, or the address is wrong.</Trans>
      </Empty>
    );
  }
  return (
    <div className={styles.panes}>
      <section className={styles.screen} aria-label={t`Conversation`}>
        <ConversationHeader chatMid={chatMid} details={details} />
        <OtherSide chatMid={chatMid} />
        {invited ? <Invitation chatMid={chatMid} /> : <Talk chatMid={chatMid} />}
      </section>
      {details && (
        <Suspense fallback={<div className={styles.details} aria-busy="true" />}>
          <Details chatMid={chatMid} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * The messages and the composer. Rendered only when the chat is known, because its draft may be a reply to a message.
 */
function Talk({ chatMid }: { chatMid: string }) {
  const draft = useMirror(({ chats }) => chats.get(chatMid)?.draft);
  const [replyTo, setReplyTo] = useState(draft?.replyTo);
  return (
    <>
      <MessageList chatMid={chatMid} onReply={setReplyTo} />
      <Composer chatMid={chatMid} replyTo={replyTo} onReplyTo={setReplyTo} />
    </>
  );
}
