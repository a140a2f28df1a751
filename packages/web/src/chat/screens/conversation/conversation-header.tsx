// The header of a conversation: the name of the chat, its number of members, and buttons.
import { Plural, useLingui } from '@lingui/react/macro';
import { ArrowLeft, Info, Search } from 'lucide-react';
import { useLocation } from 'wouter';
import { IconButton } from '../../../design/button.tsx';
import { useKey } from '../../../keys/use-key.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import type { SealState } from '../../client/engine-keys.ts';
import { nameOf } from '../../client/mirror-state.ts';
import { routes } from '../../routes.ts';
import { SealButton } from '../../safety/seal-button.tsx';
import { VerifiedMark } from '../../safety/verified-mark.tsx';
import { useOpenSearch } from '../../use-open-search.ts';
import styles from './conversation-header.module.css';
import { closeDetails, openDetails } from './details/open-details.ts';

export interface ConversationHeaderProps {
  readonly chatMid: string;
  readonly details: boolean;
  readonly seal: SealState | undefined;
}

export function ConversationHeader({ chatMid, details, seal }: ConversationHeaderProps) {
  const { t } = useLingui();
  const [, go] = useLocation();
  const name = useMirror((state) => state.chats.get(chatMid)?.name || nameOf(state, chatMid));
  const members = useMirror(({ chats }) => {
    const chat = chats.get(chatMid);
    return chat && chat.kind !== 'user' ? chat.members.length : undefined;
  });
  useKey('close', () => (details ? closeDetails(chatMid, go) : go(routes.chats)));
  const openSearch = useOpenSearch();
  return (
    <header className={styles.header}>
      <IconButton label={t`Back to the chats`} className={styles.back} onClick={() => go(routes.chats)}>
        <ArrowLeft />
      </IconButton>
      <ChatAvatar mid={chatMid} />
      <div className={styles.title}>
        <h2>
          <bdi>{name || t`Unknown`}</bdi>
          <VerifiedMark mid={chatMid} />
        </h2>
        {members !== undefined && (
          <p>
            <Plural value={members} one="# member" other="# members" />
          </p>
        )}
      </div>
      <SealButton chatMid={chatMid} state={seal} />
      <IconButton label={t`Search in this chat`} onClick={() => openSearch(chatMid)}>
        <Search />
      </IconButton>
      <IconButton
        label={t`Details of the chat`}
        aria-expanded={details}
        pressed={details}
        onClick={() => (details ? closeDetails(chatMid, go) : openDetails(chatMid, go))}
      >
        <Info />
      </IconButton>
    </header>
  );
}
