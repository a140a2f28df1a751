// Finds out whether the safety number of a person was compared.
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../client/context.tsx';
import { useOverlay } from '../overlays/overlays.ts';

/**
 * Returns `verified` if the safety number was compared, or `changed` if another key of the person is known since then.
 * Does not ask the server.
 */
export function useVerified(mid: string): 'verified' | 'changed' | 'unverified' {
  const remote = useRemote();
  const changes = useMirror(({ trust }) => trust.keyChanges[mid]?.length ?? 0);
  const isOpen = useOverlay() !== undefined;
  const [state, setState] = useState<'verified' | 'changed' | 'unverified'>('unverified');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed key or a closed dialog may change the answer
  useEffect(() => {
    let current = true;
    if (!mid.startsWith('u')) return;
    const read = async (): Promise<void> => {
      const verified = await remote.trust.verified(mid);
      const newest = (await remote.trust.knownKeys(mid)).at(-1);
      if (!current) return;
      if (!verified) setState('unverified');
      else setState(newest === undefined || newest.keyData === verified.keyData ? 'verified' : 'changed');
    };
    read().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [remote, mid, changes, isOpen]);
  return state;
}
