// Unsends messages, with five seconds to undo it. The server gets the call after this time, or at once when the page is
// closed. The ids are also stored in the browser. If the page closes before the call is sent, the next page sends it.
import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';
import { toast } from '../../../design/toast.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import type { Remote } from '../../client/remote.ts';
import { pendingIds, withId, withoutId } from './pending-unsends.ts';

const KEPT = 'sealpost-unsends';

const pending = createStore<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));

const kept = (): readonly string[] => pendingIds(localStorage.getItem(KEPT));

function keep(ids: readonly string[]): void {
  if (ids.length === 0) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, JSON.stringify(ids));
}

/** Returns true if a message is shown as unsent, although the server does not know of it yet. */
export const useIsUnsending = (id: string): boolean => useStore(pending, ({ ids }) => ids.includes(id));

function forget(id: string): void {
  pending.setState(({ ids }) => ({ ids: withoutId(ids, id) }));
  keep(withoutId(kept(), id));
}

async function unsendNow(remote: Remote, id: string): Promise<void> {
  await attempt(() => remote.messaging.unsend(id));
  forget(id);
}

export function useUnsend(): (id: string) => void {
  const { t } = useLingui();
  const remote = useRemote();
  return (id) => {
    if (pending.getState().ids.includes(id)) return;
    pending.setState(({ ids }) => ({ ids: withId(ids, id) }));
    keep(withId(kept(), id));
    toast({
      text: t`The message is unsent`,
      action: { label: t`Undo`, run: () => forget(id) },
      onEnd: () => void unsendNow(remote, id),
    });
  };
}

/**
 * Unsends waiting messages at once when the page is closed. Also unsends messages that an earlier page could not unsend
 * before it was closed.
 */
export function useUnsendsOnLeaving(): void {
  const remote = useRemote();
  useEffect(() => {
    for (const id of kept()) void unsendNow(remote, id);
    const leave = (): void => {
      for (const id of pending.getState().ids) void unsendNow(remote, id);
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [remote]);
}
