// Searches the texts of messages, in all chats or in one. The results are shown in place of the list of chats. Pressing
// a result shows the message in its chat.
import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { ArrowLeft, Search, SearchX, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { announce } from '../../../access/live-region.tsx';
import { Button, IconButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { Pane, PaneScroller } from '../../../design/pane.tsx';
import { keyIdOf } from '../../../keys/keymap.ts';
import { useKey } from '../../../keys/use-key.ts';
import { listTime } from '../../../words/dates.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { chatPath } from '../../routes.ts';
import { closeSearch, searchEverywhere, useSearch } from '../../search-store.ts';
import { wantMessage } from '../../wanted-message.ts';
import { byChat, matchParts } from './matches.ts';
import styles from './search-pane.module.css';
import { useMessageSearch } from './use-message-search.ts';

export default function SearchPane() {
  const { t } = useLingui();
  const chatMid = useSearch((state) => state.chatMid);
  const begun = useSearch((state) => state.query);
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const [query, setQuery] = useState(begun);
  const search = useMessageSearch(query, chatMid);
  const { found, running, problem } = search;
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it for another chat takes the focus again
  useEffect(() => field.current?.focus(), [chatMid]);
  useKey('close', closeSearch);
  useEffect(() => {
    if (query.trim() !== '' && !running)
      announce(plural(found.length, { one: '# message found', other: '# messages found' }));
  }, [query, running, found.length]);
  // An open chat and its details close with the same key. Here it is meant for the search.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (keyIdOf(event.nativeEvent, true) !== 'close') return;
    event.preventDefault();
    closeSearch();
  };
  const groups = byChat(found, ({ from, to }) => (to === me ? from : to));
  return (
    <Pane label={t`Search messages`}>
      <header className={styles.header}>
        <IconButton label={t`Back to the chats`} onClick={closeSearch}>
          <ArrowLeft />
        </IconButton>
        <input
          ref={field}
          type="search"
          dir="auto"
          className={styles.field}
          value={query}
          placeholder={t`Search messages`}
          aria-label={t`Search messages`}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </header>
      {chatMid !== undefined && <Where chatMid={chatMid} />}
      {query.trim() !== '' && <Progress {...search} />}
      {problem !== undefined && <p className={styles.note}>{problem}</p>}
      <PaneScroller className={styles.results} onKeyDown={onKeyDown}>
        {query.trim() === '' && (
          <Empty icon={<Search />} title={t`Search messages`}>
            <Trans>Everything is searched on this device, also what is sealed.</Trans>
          </Empty>
        )}
        {query.trim() !== '' && !running && found.length === 0 && (
          <Empty icon={<SearchX />} title={t`Nothing found`}>
            <Trans>Messages must have all the words.</Trans>
          </Empty>
        )}
        {groups.map(([mid, messages]) => (
          <Group key={mid} mid={mid} messages={messages} query={query} />
        ))}
      </PaneScroller>
    </Pane>
  );
}

function Where({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const name = useMirror((state) => state.chats.get(chatMid)?.name || nameOf(state, chatMid));
  return (
    <p className={styles.where}>
      <Trans>
        In <bdi>{name}</bdi>
      </Trans>
      <IconButton label={t`Search all chats`} onClick={searchEverywhere}>
        <X />
      </IconButton>
    </p>
  );
}

function Progress({ running, looked, partial, stop }: ReturnType<typeof useMessageSearch>) {
  return (
    <div className={styles.progress}>
      <p>
        {running ? (
          <Plural value={looked} one="Searching… # message so far" other="Searching… # messages so far" />
        ) : (
          <Plural value={looked} one="# message searched" other="# messages searched" />
        )}
      </p>
      {running && (
        <Button look="quiet" onClick={stop}>
          <Trans>Stop</Trans>
        </Button>
      )}
      {partial && (
        <p className={styles.note}>
          <Trans>Not connected: only messages on this device were searched.</Trans>
        </p>
      )}
    </div>
  );
}

function Group({ mid, messages, query }: { mid: string; messages: readonly StoredMessage[]; query: string }) {
  const { t } = useLingui();
  const name = useMirror((state) => state.chats.get(mid)?.name || nameOf(state, mid));
  return (
    <section className={styles.group} aria-label={name || t`Unknown`}>
      <h2>
        <ChatAvatar mid={mid} size="s" />
        <bdi>{name || t`Unknown`}</bdi>
        <span>{messages.length}</span>
      </h2>
      <ul>
        {messages.map((message) => (
          <Result key={message.id} mid={mid} message={message} query={query} />
        ))}
      </ul>
    </section>
  );
}

function Result({ mid, message, query }: { mid: string; message: StoredMessage; query: string }) {
  const { i18n } = useLingui();
  const [, go] = useLocation();
  const sender = useMirror((state) => nameOf(state, message.from));
  const show = (): void => {
    wantMessage(mid, message.id);
    go(chatPath(mid));
  };
  return (
    <li>
      <button type="button" className={styles.result} onClick={show}>
        <span className={styles.from}>
          <bdi>{sender}</bdi>
          <time>{listTime(i18n.locale, Number(message.createdTime), Date.now())}</time>
        </span>
        <span dir="auto">
          {matchParts(message.text ?? '', query).map(({ text, match, start }) =>
            match ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
          )}
        </span>
      </button>
    </li>
  );
}
