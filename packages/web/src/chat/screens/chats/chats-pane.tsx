// The list of chats, the newest first. It is virtual: a thousand chats cost as much as ten.
import { Trans, useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { MessageSquarePlus, Search, TextSearch } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { movedTo } from '../../../access/roving.ts';
import type { MenuAnchor } from '../../../design/anchored-menu.tsx';
import { IconButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { useKey } from '../../../keys/use-key.ts';
import { useMirror } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { chatOfPath, chatPath } from '../../routes.ts';
import { openSearch } from '../../search-store.ts';
import { ChatRow } from './chat-row.tsx';
import styles from './chats-pane.module.css';
import { shownChats } from './shown-chats.ts';

const ChatMenu = lazy(() => import('../../people/chat-menu.tsx'));

const ROW_PX = 72;

export function ChatsPane() {
  const { t } = useLingui();
  const chats = useMirror((state) => state.chats);
  const order = useMirror((state) => state.order);
  const [query, setQuery] = useState('');
  const [path, go] = useLocation();
  const mids = useMemo(() => shownChats(order, chats, query), [order, chats, query]);
  const shown = chatOfPath(path);
  const current = mids.indexOf(shown ?? '');
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: mids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => mids[index] as string,
    overscan: 6,
  });

  const open = (index: number): void => {
    const mid = mids[Math.max(0, Math.min(mids.length - 1, index))];
    if (mid === undefined) return;
    virtual.scrollToIndex(mids.indexOf(mid));
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
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus();
    });
  };

  return (
    <section className={styles.pane} aria-label={t`Chats`}>
      <Header />
      <FindChat query={query} onQuery={setQuery} />
      {mids.length === 0 ? (
        <NoChats searching={query !== ''} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the links inside take the focus; this hears their arrow keys
        <div ref={scroller} className={styles.scroller} onKeyDown={onKeyDown}>
          <ul style={{ blockSize: virtual.getTotalSize() }} className={styles.list}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <li
                key={key}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                className={styles.item}
                aria-setsize={mids.length}
                aria-posinset={index + 1}
              >
                <ChatRow
                  mid={mids[index] as string}
                  current={index === current}
                  tabIndex={index === focused ? 0 : -1}
                  onFocus={() => setFocused(index)}
                  onMenu={openMenu}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {menu && (
        <Suspense fallback={null}>
          <ChatMenu {...menu} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </section>
  );
}

function Header() {
  const { t } = useLingui();
  return (
    <header className={styles.header}>
      <h2>
        <Trans>Chats</Trans>
      </h2>
      <IconButton label={t`New chat`} onClick={() => openOverlay({ kind: 'new-chat' })}>
        <MessageSquarePlus />
      </IconButton>
    </header>
  );
}

function FindChat({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const { t } = useLingui();
  return (
    <>
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          placeholder={t`Find a chat`}
          aria-label={t`Find a chat`}
        />
      </div>
      {query.trim() !== '' && (
        <button type="button" className={styles.messages} onClick={() => openSearch(undefined, query)}>
          <TextSearch aria-hidden="true" />
          <Trans>Search messages for “{query}”</Trans>
        </button>
      )}
    </>
  );
}

function NoChats({ searching }: { searching: boolean }) {
  const { t } = useLingui();
  if (searching) return <Empty icon={<Search />} title={t`No chat has that name`} />;
  return (
    <Empty icon={<MessageSquarePlus />} title={t`No chats yet`}>
      <Trans>Find somebody in Contacts and say hello.</Trans>
    </Empty>
  );
}
