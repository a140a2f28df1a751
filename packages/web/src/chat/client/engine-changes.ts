// Turns the changes of a commit to the replica into the changes that are sent to pages.
import type { Outbox, Outgoing, Replica, ReplicaChanges } from '@sealpost/sdk';
import type { Changes, Waiting } from './protocol.ts';

function waitingOf({ localId, position, chatMid, content, state, failure, file }: Outgoing): Waiting {
  const shown = file && shownFile(file);
  return { localId, position, chatMid, content, state, failure, ...(shown && { file: shown }) };
}

const shownFile = ({ kind, name, size, preview, duration }: NonNullable<Outgoing['file']>): Waiting['file'] => ({
  ...{ kind, name, size, preview, duration },
});

/**
 * Returns the messages of the outbox that pages show. Leaves out those that the user took back: they stay in the outbox
 * only because the server may already have them.
 */
export const waitingRows = (outbox: Outbox): Waiting[] =>
  outbox
    .all()
    .filter(({ takenBack }) => !takenBack)
    .map(waitingOf);

export function changesOf(replica: Replica, outbox: Outbox, changed: ReplicaChanges): Changes {
  const chats = [...changed.chats].map((mid) => [mid, replica.chat(mid)] as const);
  const contacts = [...changed.contacts].map((mid) => [mid, replica.contact(mid)] as const);
  return {
    chats: chats.flatMap(([, chat]) => chat ?? []),
    goneChats: chats.filter(([, chat]) => !chat).map(([mid]) => mid),
    contacts: contacts.flatMap(([, contact]) => contact ?? []),
    goneContacts: contacts.filter(([, contact]) => !contact).map(([mid]) => mid),
    messages: Object.fromEntries(
      [...changed.messages].map(([chatMid, messages]) => [
        chatMid,
        [...messages].map(([id, message]) => message ?? id),
      ]),
    ),
    readers: [...changed.readers],
    ...(changed.outbox.size > 0 && { outbox: waitingRows(outbox) }),
  };
}
