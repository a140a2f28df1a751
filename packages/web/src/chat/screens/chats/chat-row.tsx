// One row of the list of chats.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { AtSign, BellOff, EllipsisVertical, Star } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import type { MenuAnchor } from '../../../design/anchored-menu.tsx';
import { Badge } from '../../../design/badge.tsx';
import { IconButton } from '../../../design/button.tsx';
import { listTime } from '../../../words/dates.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { chatPath } from '../../routes.ts';
import { previewOf } from '../../rows/preview.ts';
import styles from './chat-row.module.css';

export interface ChatRowProps {
  readonly mid: string;
  readonly current: boolean;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onMenu: (mid: string, anchor: MenuAnchor) => void;
}

export const ChatRow = memo(function ChatRow({ mid, current, tabIndex, onFocus, onMenu }: ChatRowProps) {
  const { t, i18n } = useLingui();
  const chat = useMirror(({ chats }) => chats.get(mid));
  const waiting = useMirror(({ outbox }) => outbox.get(mid));
  const mentioned = useMirror(
    (state) => Number(state.mentioned.get(mid) ?? 0) > Number(state.chats.get(mid)?.seenId ?? 0),
  );
  const failed = waiting?.some(({ state }) => state === 'failed') ?? false;
  const name = useMirror((state) => state.chats.get(mid)?.name ?? nameOf(state, mid));
  // A chat does not exist before its first message has arrived.
  if (!chat && !waiting) return null;
  const { unread = 0, time, muted = false, favorite = false } = chat ?? {};
  const openMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    const { currentTarget: element, clientX: x, clientY: y } = event;
    // The menu can also be opened with a key. In that case, the position of the pointer does not matter.
    const byPointer = event.type === 'contextmenu' && event.button === 2;
    onMenu(mid, { element, ...(byPointer && { point: { x, y } }) });
  };
  return (
    <div className={styles.frame}>
      <Link
        href={chatPath(mid)}
        className={styles.row ?? ''}
        {...(chat && { onContextMenu: openMenu })}
        tabIndex={tabIndex}
        onFocus={onFocus}
        {...(current && { 'aria-current': 'page' as const })}
      >
        <ChatAvatar mid={mid} />
        <span className={styles.name}>
          <bdi>{name || t`Unknown`}</bdi>
          {favorite && <Star aria-label={t`Favourite`} fill="currentColor" />}
          {muted && <BellOff aria-label={t`Muted`} />}
        </span>
        {time === undefined ? (
          <span />
        ) : (
          <time className={styles.time} dateTime={new Date(time).toISOString()}>
            {listTime(i18n.locale, time, Date.now())}
          </time>
        )}
        <span className={styles.preview}>
          {failed ? (
            <span className={styles.failed}>
              <Trans>A message was not sent</Trans>
            </span>
          ) : (
            <>
              {mentioned && <AtSign className={styles.at} role="img" aria-label={t`You are mentioned`} />}
              <Preview mid={mid} />
            </>
          )}
        </span>
        <Badge
          count={unread}
          label={plural(unread, { one: '# unread message', other: '# unread messages' })}
          quiet={muted}
        />
      </Link>
      {chat && (
        <IconButton
          label={t`Actions for ${name}`}
          className={styles.more}
          tabIndex={tabIndex}
          aria-haspopup="menu"
          onFocus={onFocus}
          onClick={openMenu}
        >
          <EllipsisVertical />
        </IconButton>
      )}
    </div>
  );
});

function Preview({ mid }: { mid: string }) {
  const chat = useMirror(({ chats }) => chats.get(mid));
  const sender = useMirror((state) => {
    const last = state.chats.get(mid)?.last;
    return last && state.chats.get(mid)?.kind !== 'user' ? nameOf(state, last.from) : '';
  });
  const last = useMirror((state) => {
    const message = state.chats.get(mid)?.last;
    return message ? previewOf(message, (who) => nameOf(state, who)) : '';
  });
  if (!chat || chat.invited) {
    return <span className={styles.text}>{chat ? <Trans>You are invited</Trans> : <Trans>Waiting</Trans>}</span>;
  }
  if (chat.draft) {
    return (
      <>
        <em className={styles.draft}>
          <Trans>Draft:</Trans>
        </em>
        <bdi className={styles.text}>{chat.draft.text}</bdi>
      </>
    );
  }
  return (
    <>
      {sender && chat.last?.contentType !== 18 && (
        <span className={styles.sender}>
          <bdi>{sender}</bdi>:
        </span>
      )}
      <bdi className={styles.text}>{last}</bdi>
    </>
  );
}
