// Loads a long list page by page: the first page at once, and the next ones on request.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { noteEnd } from './session.ts';

/** One page of a list. The last page has no cursor. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string | undefined;
}

export interface Listed<T> {
  readonly data: { readonly items: readonly T[]; readonly hasMore: boolean } | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads the next page. */
  more(): Promise<void>;
  /** Begins again with the first page. The old items are shown until the answer arrives, and also if that fails. */
  reload(): Promise<void>;
}

interface Known<T> {
  readonly items?: readonly T[];
  readonly cursor?: string | undefined;
  readonly error?: unknown;
}

/** @param key identifies the list. A new key begins a new list; the old items are shown until its answer arrives */
export function useListed<T>(key: string, load: (cursor?: string) => Promise<ListPage<T>>): Listed<T> {
  const [known, setKnown] = useState<Known<T>>({});
  const [isLoading, setLoading] = useState(true);
  const turn = useRef(0);
  const fetchPage = useEffectEvent(async (before: Known<T>, cursor?: string): Promise<void> => {
    const mine = ++turn.current;
    setLoading(true);
    const next = await load(cursor).then(
      ({ items: more, cursor: after }): Known<T> => ({
        items: cursor === undefined ? more : [...(before.items ?? []), ...more],
        cursor: after,
      }),
      (error: unknown): Known<T> => {
        void noteEnd(error);
        return { ...before, error };
      },
    );
    // If a newer request has begun in the meantime, the answer to this one is dropped.
    if (mine !== turn.current) return;
    setKnown(next);
    setLoading(false);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key begins anew
  useEffect(() => void fetchPage({}), [key]);
  const { items, cursor, error } = known;
  return {
    data: items && { items, hasMore: cursor !== undefined },
    error,
    isLoading,
    more: () => fetchPage(known, cursor),
    reload: () => fetchPage(known),
  };
}
