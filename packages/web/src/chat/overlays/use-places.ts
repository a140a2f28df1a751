// Lists the chats and people that can be opened, or to which a message can be forwarded.
import { useMemo } from 'react';
import { useMirror } from '../client/context.tsx';
import type { Findable } from './found.ts';

/** Returns the chats, the newest first, and after them the contacts without a chat. */
export function usePlaces(): readonly Findable[] {
  const order = useMirror((state) => state.order);
  const chats = useMirror((state) => state.chats);
  const contacts = useMirror((state) => state.contacts);
  return useMemo(() => {
    const ofChats = order.flatMap((id) => {
      const chat = chats.get(id);
      return chat && !chat.invited ? [{ id, name: chat.name }] : [];
    });
    const others = [...contacts.values()].filter(({ mid }) => !chats.has(mid));
    return [
      ...ofChats,
      ...others.map(({ mid, displayName, displayNameOverridden }) => ({
        id: mid,
        name: displayNameOverridden || displayName,
      })),
    ];
  }, [order, chats, contacts]);
}
