// One chat: its header, its messages, and the composer.
import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Empty } from '../../../design/empty.tsx';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import { Composer } from './composer/composer.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import styles from './conversation-screen.module.css';
import { Invitation } from './invitation.tsx';
import { MessageList } from './message-list.tsx';

export default function ConversationScreen({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const mirror = useMirrorActions();
  const isKnown = useMirror(({ chats, contacts }) => chats.has(chatMid) || contacts.has(chatMid));
  const invited = useMirror(({ chats }) => chats.get(chatMid)?.invited ?? false);
  const [replyTo, setReplyTo] = useState<string>();
  useEffect(() => void mirror.openConversation(chatMid), [mirror, chatMid]);
  if (!isKnown) {
    return (
      <Empty icon={<SearchX />} title={t`This chat is not here`}>
        <Trans>You may have left it, or the address is wrong.</Trans>
      </Empty>
    );
  }
  return (
    <section className={styles.screen} aria-label={t`Conversation`}>
      <ConversationHeader chatMid={chatMid} />
      <MessageList chatMid={chatMid} onReply={setReplyTo} />
      {invited ? (
        <Invitation chatMid={chatMid} />
      ) : (
        <Composer chatMid={chatMid} replyTo={replyTo} onReplyTo={setReplyTo} />
      )}
    </section>
  );
}
