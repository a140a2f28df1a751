// Searches messages while the user types. Returns the results so far, the progress, and a function that stops the
// search.
import type { StoredMessage } from '@sealpost/sdk';
import { useEffect, useState } from 'react';
import { problemOf } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import type { Remote } from '../../client/remote.ts';

const DEBOUNCE_MS = 150;
/** Maximum number of results of a search. To find others, the user must refine the query. */
const MOST_FOUND = 300;

export interface SearchProgress {
  readonly found: readonly StoredMessage[];
  readonly looked: number;
  readonly partial: boolean;
  readonly running: boolean;
  readonly problem?: string;
}

const nothing: SearchProgress = { found: [], looked: 0, partial: false, running: false };

interface SearchJob {
  readonly remote: Remote;
  readonly key: string;
  readonly query: string;
  readonly chatMid: string | undefined;
  readonly signal: AbortSignal;
  readonly tell: (progress: SearchProgress) => void;
}

async function run({ remote, key, query, chatMid, signal, tell }: SearchJob): Promise<void> {
  let found: readonly StoredMessage[] = [];
  try {
    let page = await remote.search.begin(key, query, chatMid);
    for (;;) {
      if (signal.aborted) return;
      found = [...found, ...page.found];
      const running = !page.done && found.length < MOST_FOUND;
      tell({ found, looked: page.looked, partial: page.partial, running });
      if (!running) return;
      page = await remote.search.more(key);
    }
  } catch (error) {
    if (!signal.aborted) tell({ ...nothing, found, problem: problemOf(error) });
  }
}

/** The progress of the last search, and the query and chat that it was for. */
interface Searched extends SearchProgress {
  readonly wanted: string;
  readonly chatMid: string | undefined;
}

const none: Searched = { ...nothing, wanted: '', chatMid: undefined };

export function useMessageSearch(query: string, chatMid: string | undefined) {
  const remote = useRemote();
  // All tabs share the engine, so the key must differ between them.
  const [key] = useState(() => crypto.randomUUID());
  const [searched, setSearched] = useState(none);
  const wanted = query.trim();
  // An effect must not set a state for each key press. If keys come faster than the page is shown, React takes that for
  // an endless loop.
  useEffect(() => {
    if (wanted === '') {
      setSearched(none);
      // This call makes the engine read the texts while the user types. If it fails, the search reports the failure.
      void remote.search.begin(key, '', chatMid).catch(() => {});
      return;
    }
    const ended = new AbortController();
    const tell = (progress: SearchProgress): void => setSearched({ ...progress, wanted, chatMid });
    const timer = setTimeout(
      () => void run({ remote, key, query: wanted, chatMid, signal: ended.signal, tell }),
      DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      ended.abort();
      void remote.search.end(key);
    };
  }, [wanted, chatMid, remote, key]);
  const stop = (): void => {
    void remote.search.end(key);
    setSearched((before) => ({ ...before, wanted, chatMid, running: false }));
  };
  const isOfQuery = searched.wanted === wanted && searched.chatMid === chatMid;
  // The results of the last query are shown until this one has some.
  return { ...searched, running: isOfQuery ? searched.running : wanted !== '', stop };
}
