// Loads the data of a page from the admin API. Loads it again on request or at intervals.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { noteEnd } from './session.ts';

export interface Loaded<T> {
  /** Undefined until the first answer. Data that was loaded for another key is not shown. */
  readonly data: T | undefined;
  readonly error: unknown;
  /** Loads the data again. The old data is shown until the answer arrives, and also if that fails. */
  reload(): Promise<void>;
}

interface Known<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: unknown;
}

/**
 * @param key identifies the data; a new key starts anew
 * @param everyMs milliseconds between two loads while the page is visible; if absent, the data is loaded only once
 */
export function useLoaded<T>(key: string, load: () => Promise<T>, everyMs?: number): Loaded<T> {
  const [known, setKnown] = useState<Known<T>>({ key });
  const turn = useRef(0);
  const run = useEffectEvent(async (isAsked = false): Promise<void> => {
    const mine = ++turn.current;
    const answer = await load().then(
      (data): Known<T> => ({ key, data, error: undefined }),
      (error: unknown): Known<T> => {
        void noteEnd(error);
        return { key, error };
      },
    );
    // If an answer to an older request arrives late, it is not shown.
    if (mine === turn.current) setKnown(isAsked && known.key === key ? { ...known, ...answer } : answer);
  });
  const [asked, setAsked] = useState(0);
  const waiting = useRef<(() => void)[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key, or somebody who asks, loads again
  useEffect(() => {
    const told = waiting.current.splice(0);
    void run(told.length > 0).then(() => {
      for (const tell of told) tell();
    });
  }, [key, asked]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void run(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        setAsked((times) => times + 1);
      }),
    [],
  );
  const isCurrent = known.key === key;
  return { data: isCurrent ? known.data : undefined, error: isCurrent ? known.error : undefined, reload };
}
