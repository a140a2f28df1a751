// Gathers wake-ups, so that all of one turn of the event loop are sent together.
import type { WakeKind } from './bus.ts';

export const wakeKinds: readonly WakeKind[] = ['log', 'sessions'];

/**
 * Returns the function that notes wake-ups. An account that is noted several times in one turn is sent once.
 * @param send sends the accounts of one kind; it is never called with an empty list
 */
export function gatherWakes(
  send: (kind: WakeKind, accountIds: readonly number[]) => void,
): (kind: WakeKind, accountIds: readonly number[]) => void {
  const waiting = new Map<WakeKind, Set<number>>(wakeKinds.map((kind) => [kind, new Set()]));
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    for (const [kind, accounts] of waiting) {
      const ids = [...accounts];
      accounts.clear();
      if (ids.length > 0) send(kind, ids);
    }
  }

  return (kind, accountIds) => {
    for (const id of accountIds) waiting.get(kind)?.add(id);
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
}
