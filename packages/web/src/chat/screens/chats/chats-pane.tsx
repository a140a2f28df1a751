// The list of chats. Only the visible rows are rendered, so the list is fast even with a thousand chats.
import { Trans, useLingui } from '@lingui/react/macro';
import { MessageSquarePlus, Search, TextSearch } from 'lucide-react';
import { type KeyboardEvent, Suspense, useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { movedTo } from '../../../access/roving.ts';
import type { MenuAnchor } from '../../../design/anchored-menu.tsx';
import { Button, IconButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { useFixedRows } from '../../../design/fixed-rows.ts';
import { Pane, PaneHeader, PaneScroller, SearchField } from '../../../design/pane.tsx';
import { useKey } from '../../../keys/use-key.ts';
import { part } from '../../../words/part.ts';
import { useMirrorShallow } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { chatOfPath, chatPath, findingPeople, routes } from '../../routes.ts';
import { openSearch } from '../../search-store.ts';
import { ChatRow } from './chat-row.tsx';
import styles from './chats-pane.module.css';
import { shownChats } from './shown-chats.ts';

const ChatMenu = part(() => import('../../people/chat-menu.tsx'));

const ROW_PX = 72;

export function ChatsPane() {
  const { t } = useLingui();
  const [query, setQuery] = useState('');
  const [path, go] = useLocation();
  const mids = useMirrorShallow((state) => shownChats(state, query));
  const shown = chatOfPath(path);
  const current = mids.indexOf(shown ?? '');
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const rows = useFixedRows(scroller, mids.length, ROW_PX);

  const open = (index: number): void => {
    const mid = mids[Math.max(0, Math.min(mids.length - 1, index))];
    if (mid === undefined) return;
    rows.show(mids.indexOf(mid));
    go(chatPath(mid));
  };
  useKey('chat-down', () => open(current + 1));
  useKey('chat-up', () => open(current - 1));

  const [menu, setMenu] = useState<{ mid: string; anchor: MenuAnchor }>();
  const openMenu = useCallback((mid: string, anchor: MenuAnchor) => setMenu({ mid, anchor }), []);
  const [focused, setFocused] = useState(0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedTo(event.key, focused, mids.length);
    if (next === undefined) return;
    event.preventDefault();
    setFocused(next);
    rows.show(next);
    scroller?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus();
  };

  return (
    <Pane label={t`Chats`}>
      <Header />
      <FindChat query={query} onQuery={setQuery} />
      {mids.length === 0 ? (
        <NoChats searching={query !== ''} />
      ) : (
        // The links inside this element take the focus. Their arrow keys are handled here.
        <PaneScroller ref={setScroller} onKeyDown={onKeyDown}>
          <ul style={{ blockSize: rows.total }} className={styles.list}>
            {rows.shown.map((index) => (
              <li
                key={mids[index]}
                data-index={index}
                style={{ transform: `translateY(${index * ROW_PX}px)` }}
                className={styles.item}
                aria-setsize={mids.length}
                aria-posinset={index + 1}
              >
                <ChatRow
                  mid={mids[index] as string}
                  current={index === current}
                  tabIndex={index === (rows.shown.includes(focused) ? focused : rows.shown[0]) ? 0 : -1}
                  onFocus={() => setFocused(index)}
                  onMenu={openMenu}
                />
              </li>
            ))}
          </ul>
        </PaneScroller>
      )}
      {menu && (
        <Suspense fallback={null}>
          <ChatMenu {...menu} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </Pane>
  );
}

function Header() {
  const { t } = useLingui();
  return (
    <PaneHeader title={t`Chats`}>
      <IconButton label={t`New chat`} onClick={() => openOverlay({ kind: 'new-chat' })}>
        <MessageSquarePlus />
      </IconButton>
    </PaneHeader>
  );
}

function FindChat({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const { t } = useLingui();
  return (
    <>
      <SearchField label={t`Find a chat`} value={query} onValue={onQuery} />
      {query.trim() !== '' && (
        <button type="button" className={styles.messages} onClick={() => openSearch(undefined, query)}>
          <TextSearch aria-hidden="true" />
          {t`Search messages for “${query}”`}
        </button>
      )}
    </>
  );
}

function NoChats({ searching }: { searching: boolean }) {
  const { t } = useLingui();
  const [, go] = useLocation();
  if (searching) return <Empty icon={<Search />} title={t`No chat has that name`} />;
  return (
    <Empty
      icon={<MessageSquarePlus />}
      title={t`No chats yet`}
      action={
        <Button look="primary" onClick={() => go(routes.contacts, findingPeople)}>
          <Trans>Find somebody</Trans>
        </Button>
      }
    >
      <Trans>Find somebody in Contacts and say hello.</Trans>
    </Empty>
  );
}
