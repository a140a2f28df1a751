// Keeps what an administrator was typing when the session ended, until the same administrator logs in again. The page
// itself is removed meanwhile, so nobody else can read it.
import { useEffect, useRef, useState } from 'react';
import { closeToast, toastStore } from '../../design/toast.ts';
import { goTo, placeAt, placeIn } from '../parts/place.ts';
import { useSession } from './session.ts';

/** What a session left behind when it ended. */
interface Left {
  readonly administrator: string | undefined;
  /** The address of the place, with its filters. */
  readonly hash: string;
  /** The address that stays in the browser during the login. Filters can have typed text, so it has none. */
  readonly shownHash: string;
  /** The typed values as JSON, by key. */
  readonly values: Map<string, string>;
}

let left: Left | undefined;
let isOut = false;

useSession.subscribe(({ login, ended }, { login: before }) => {
  const wasFull = before?.state === 'full';
  const isFull = login?.state === 'full';
  const isOther = wasFull && isFull && login.administrator !== before.administrator;
  if (wasFull && (!isFull || isOther)) leave(ended && !isOther, before.administrator);
  if (isFull && (!wasFull || isOther)) comeBack(login.administrator);
  if (isOther) goTo('home');
});

/** @param keeps false if the administrator wanted to leave */
function leave(keeps: boolean, administrator: string | undefined): void {
  isOut = true;
  const { hash } = location;
  const { page, chosen } = placeIn(hash);
  left = keeps ? { administrator, hash, shownHash: placeAt(page, chosen), values: new Map() } : undefined;
  if (left) goTo(page, chosen, {});
  // Messages have names, and buttons that undo.
  for (let [shown] = toastStore.current(); shown; [shown] = toastStore.current()) closeToast(shown.key);
}

function comeBack(administrator: string | undefined): void {
  isOut = false;
  if (!left) return;
  const isSamePlace = location.hash === left.shownHash;
  const isSame = administrator === left.administrator;
  if (isSamePlace) {
    const { page, chosen, filters } = placeIn(left.hash);
    if (isSame) goTo(page, chosen, filters);
    else goTo('home');
  }
  if (!isSame || !isSamePlace) left = undefined;
}

/** Forgets what is left of the page before. Called when another page is shown. */
export function forgetLeft(): void {
  if (!isOut) left = undefined;
}

/**
 * A state like `useState`, which outlives the end of the session. Never for passwords of the administrator.
 * @param key the name of the value, different from all others
 */
export function useKept<T>(key: string, first: () => T): [value: T, set: (value: T) => void] {
  const [value, set] = useState<T>(() => {
    const kept = isOut ? undefined : left?.values.get(key);
    return kept === undefined ? first() : JSON.parse(kept);
  });
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    left?.values.delete(key);
    return () => {
      if (isOut && latest.current !== undefined) left?.values.set(key, JSON.stringify(latest.current));
    };
  }, [key]);
  return [value, set];
}
