// Unsends messages, with five seconds to undo it. The server gets the call after this time, or at once when the page is
// closed. The messages are also stored in the browser, until the server has unsent them. If the page is closed or has no
// connection, the next page or the next connection sends the call.
import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';
import { toast } from '../../design/toast.ts';
import { problemOf } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import type { Remote } from '../client/remote.ts';
import { isRefused, type PendingUnsend, pendingUnsends, withoutUnsend, withUnsend } from './pending-unsends.ts';

const KEPT = 'sealpost-unsends';
/** Other pages leave a message alone for this long. It is more than the time for undoing. */
const OTHERS_WAIT_MS = 60_000;

/** The ids of messages that this page shows as unsent, although the server does not know of it yet. */
const pending = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

const kept = (): readonly PendingUnsend[] => pendingUnsends(localStorage.getItem(KEPT));

function keep(entries: readonly PendingUnsend[]): void {
  if (entries.length === 0) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, JSON.stringify(entries));
}

/** Returns true if a message is shown as unsent, although the server does not know of it yet. */
export const useIsUnsending = (id: string): boolean => useStore(pending, ({ ids }) => ids.has(id));

const show = (id: string): void => pending.setState(({ ids }) => ({ ids: new Set(ids).add(id) }));

function forget(id: string): void {
  pending.setState(({ ids }) => ({ ids: new Set([...ids].filter((other) => other !== id)) }));
  keep(withoutUnsend(kept(), id));
}

/** From now on, any page may send the call. */
const release = (id: string): void => keep(kept().map((entry) => (entry.id === id ? { ...entry, due: 0 } : entry)));

/** Returns false if the call has to be sent again later. */
async function unsendNow(remote: Remote, id: string): Promise<boolean> {
  release(id);
  try {
    await remote.messaging.unsend(id);
  } catch (error) {
    if (!isRefused(error)) return false;
    toast({ text: problemOf(error) });
  }
  forget(id);
  return true;
}

const useMe = (): string => useMirror(({ status }) => status.session?.mid ?? '');

export function useUnsend(): (id: string) => void {
  const { t } = useLingui();
  const remote = useRemote();
  const by = useMe();
  return (id) => {
    if (pending.getState().ids.has(id)) return;
    show(id);
    keep(withUnsend(kept(), { id, by, due: Date.now() + OTHERS_WAIT_MS }));
    toast({
      text: t`The message is unsent`,
      action: { label: t`Undo`, run: () => forget(id) },
      onEnd: () =>
        void unsendNow(remote, id).then(
          (done) =>
            done || toast({ text: t`The others still see the message. It disappears as soon as you are connected.` }),
        ),
    });
  };
}

/** Unsends waiting messages at once, because the person logs out. */
export async function unsendBeforeLogout(remote: Remote): Promise<void> {
  const ids = [...pending.getState().ids];
  await Promise.all(ids.map((id) => unsendNow(remote, id)));
  for (const id of ids) forget(id);
}

/**
 * Unsends waiting messages at once when the page is closed. With a connection, also unsends the messages that an earlier
 * page or connection could not unsend.
 */
export function useUnsendsOnLeaving(): void {
  const remote = useRemote();
  const me = useMe();
  const isOnline = useMirror(({ status }) => status.connection.state === 'online');
  useEffect(() => {
    const leave = (): void => {
      for (const id of pending.getState().ids) void unsendNow(remote, id);
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [remote]);
  useEffect(() => {
    const own = kept().filter(({ by }) => by === me);
    for (const { id, due } of own) if (due <= Date.now()) show(id);
    if (!isOnline) return;
    const timers = own.map(({ id, due }) =>
      setTimeout(() => {
        // Meanwhile another page has perhaps sent the call, or the person has undone it.
        if (kept().some((entry) => entry.id === id)) void unsendNow(remote, id);
      }, due - Date.now()),
    );
    return () => timers.forEach(clearTimeout);
  }, [remote, me, isOnline]);
}
