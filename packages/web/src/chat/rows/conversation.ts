// The messages of one chat that a page has loaded, the oldest first, without gaps.
import type { StoredMessage } from '@sealpost/sdk';

export interface Conversation {
  readonly messages: readonly StoredMessage[];
  /** Whether the first message of the chat is among them. */
  readonly complete: boolean;
  readonly loading: boolean;
  /** Why older messages could not be loaded. */
  readonly problem?: string | undefined;
  /** How far members have read: message ids by mid. */
  readonly readers: Readonly<Record<string, string>>;
}

export const emptyConversation: Conversation = { messages: [], complete: false, loading: false, readers: {} };

/** Returns the conversation of a chat that has no messages any more. */
export const cleared = (conversation: Conversation): Conversation => ({
  ...conversation,
  messages: [],
  complete: true,
});

const byId = (one: StoredMessage, other: StoredMessage): number => Number(one.id) - Number(other.id);

/**
 * Returns the conversation with the newest messages as they were just read, the newest first. If they do not reach back
 * to the loaded ones, those are dropped, so that there is no gap.
 */
export function withNewest(conversation: Conversation, page: readonly StoredMessage[], pageSize: number): Conversation {
  const oldest = page.at(-1);
  const older = conversation.messages.filter(({ id }) => oldest && Number(id) < Number(oldest.id));
  const newestLoaded = conversation.messages.at(-1);
  const reaches = page.length < pageSize || (newestLoaded && oldest && Number(newestLoaded.id) >= Number(oldest.id));
  return {
    ...conversation,
    messages: [...(reaches ? older : []), ...page.toReversed()],
    complete: reaches ? conversation.complete : false,
  };
}

/** Returns the conversation with older messages before the loaded ones. `page` has the newest first. */
export function addOlder(conversation: Conversation, page: readonly StoredMessage[], complete: boolean): Conversation {
  const oldest = conversation.messages[0];
  const older = page.filter(({ id }) => !oldest || Number(id) < Number(oldest.id)).toReversed();
  return { ...conversation, messages: [...older, ...conversation.messages], complete, loading: false };
}

/** Returns the conversation with so many of its newest messages. The others are read again when they are wanted. */
export const withoutOld = (conversation: Conversation, count: number): Conversation =>
  conversation.messages.length <= count
    ? conversation
    : { ...conversation, messages: conversation.messages.slice(-count), complete: false };

/**
 * Returns the conversation with the changes of a commit. An id alone is of a message that this device does not keep any
 * more. Either it is gone, or it was one of the oldest and made room. Those that made room stay loaded. If the newest
 * loaded one is gone and newer ones came, nobody knows what lies between: the others are read again.
 */
export function withChanges(conversation: Conversation, changes: readonly (StoredMessage | string)[]): Conversation {
  const gone = new Set(changes.filter((change) => typeof change === 'string'));
  const changed = changes.filter((change) => typeof change !== 'string').sort(byId);
  const newest = conversation.messages.at(-1);
  if (newest && gone.has(newest.id) && changed.some(({ id }) => Number(id) > Number(newest.id)))
    return { ...conversation, messages: changed, complete: false };
  const kept = conversation.messages.filter(({ id }) => !gone.has(id));
  const firstKept = kept[0];
  const madeRoom = conversation.messages.filter(
    ({ id }) => gone.has(id) && firstKept && Number(id) < Number(firstKept.id),
  );
  return { ...conversation, messages: merged([...madeRoom, ...kept], changed) };
}

/** Merges sorted changes into sorted messages. Changes older than the loaded messages are dropped: they leave a gap. */
function merged(messages: readonly StoredMessage[], changed: readonly StoredMessage[]): readonly StoredMessage[] {
  const replaced = new Map(changed.map((message) => [message.id, message]));
  const next = messages.map((message) => {
    const change = replaced.get(message.id);
    replaced.delete(message.id);
    return change ?? message;
  });
  const oldest = Number(messages[0]?.id ?? 0);
  const added = [...replaced.values()].filter(({ id }) => Number(id) > oldest);
  if (added.length === 0) return next;
  const newest = Number(next.at(-1)?.id ?? 0);
  // Nearly always the new messages are the newest. Else everything is sorted.
  return added.every(({ id }) => Number(id) > newest) ? [...next, ...added] : [...next, ...added].sort(byId);
}
