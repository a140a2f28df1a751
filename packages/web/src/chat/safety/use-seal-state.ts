// Finds out whether a message written into a chat now would be sealed.
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../client/context.tsx';
import type { SealState } from '../client/engine-keys.ts';

/**
 * Returns whether a message would be sealed; undefined until the answer is known. Asks the engine again when something
 * changes that may affect the answer.
 */
export function useSealState(chatMid: string): SealState | undefined {
  const remote = useRemote();
  const members = useMirror(({ chats }) => chats.get(chatMid)?.members);
  const ownKey = useMirror(({ trust }) => trust.ownKey);
  const changes = useMirror(({ trust }) => trust.keyChanges[chatMid]?.length ?? 0);
  const online = useMirror(({ status }) => status.connection.state === 'online');
  const lastId = useMirror(({ chats }) => chats.get(chatMid)?.last?.id);
  const [state, setState] = useState<SealState>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever may change the answer asks for it again
  useEffect(() => {
    let current = true;
    if (!online) return;
    remote.engine.sealState(chatMid).then(
      (found) => current && setState(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [remote, chatMid, members, ownKey, changes, online, lastId]);
  return state;
}
