// The screen of a chat: its header, its messages, and the composer.
import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import type { SealState } from '../../client/engine-keys.ts';
import { routes } from '../../routes.ts';
import { useSealState } from '../../safety/use-seal-state.ts';
import { Composer } from './composer/composer.tsx';
import { useKeptDraft } from './composer/use-draft.ts';
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
  const [, go] = useLocation();
  const isKnown = useMirror(({ chats, contacts }) => chats.has(chatMid) || contacts.has(chatMid));
  const invited = useMirror(({ chats }) => chats.get(chatMid)?.invited ?? false);
  const seal = useSealState(chatMid);
  useEffect(() => {
    // An account that is only invited may not read the messages.
    if (!invited) void mirror.openConversation(chatMid);
  }, [mirror, chatMid, invited]);
  if (!isKnown) {
    return (
      <Empty
        icon={<SearchX />}
        title={t`This chat is not here`}
        action={<Button onClick={() => go(routes.chats)}>{t`Back to the chats`}</Button>}
      >
        <Trans>You may have left it, or the address is wrong.</Trans>
      </Empty>
    );
  }
  return (
    <div className={styles.panes} data-details={details}>
      <section className={styles.screen} aria-label={t`Conversation`}>
        <ConversationHeader chatMid={chatMid} details={details} seal={seal} />
        <OtherSide chatMid={chatMid} />
        {invited ? <Invitation chatMid={chatMid} /> : <Talk chatMid={chatMid} seal={seal} />}
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
function Talk({ chatMid, seal }: { chatMid: string; seal: SealState | undefined }) {
  const draft = useKeptDraft(chatMid);
  const [replyTo, setReplyTo] = useState(draft?.replyTo);
  return (
    <>
      <MessageList chatMid={chatMid} onReply={setReplyTo} />
      <Composer chatMid={chatMid} seal={seal} replyTo={replyTo} onReplyTo={setReplyTo} />
    </>
  );
}
