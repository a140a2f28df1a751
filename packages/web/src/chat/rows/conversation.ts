// The messages of one chat that a page has loaded, the oldest first, without gaps.
import type { StoredMessage } from '@sealpost/sdk';

export interface Conversation {
  readonly messages: readonly StoredMessage[];
  /** True if the first message of the chat is among the loaded ones. */
  readonly complete: boolean;
  readonly loading: boolean;
  /** The error for which older messages could not be loaded. */
  readonly problem?: unknown;
  /** The id of the last message that each member has read, by mid. */
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
 * Returns the conversation with the newest messages of its chat, which were just read. If there is a gap between the
 * loaded messages and these, the loaded messages are dropped.
 * @param page the messages that were read, the newest first
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

/**
 * Returns the conversation with older messages before the loaded ones.
 * @param page the older messages, newest first
 */
export function addOlder(conversation: Conversation, page: readonly StoredMessage[], complete: boolean): Conversation {
  const oldest = conversation.messages[0];
  const older = page.filter(({ id }) => !oldest || Number(id) < Number(oldest.id)).toReversed();
  return { ...conversation, messages: [...older, ...conversation.messages], complete, loading: false };
}

/**
 * Returns the conversation with at most `count` messages, the newest. Older ones are read again when they are needed.
 */
export const withoutOld = (conversation: Conversation, count: number): Conversation =>
  conversation.messages.length <= count
    ? conversation
    : { ...conversation, messages: conversation.messages.slice(-count), complete: false };

/**
 * Returns the conversation with the changes of a commit. An id in place of a message means that this device does not
 * keep the message any more. Either the message was removed, or it was one of the oldest and was dropped to make room.
 * Messages dropped to make room stay loaded here. If the newest loaded message is gone and newer ones came, there may
 * be a gap between them. Then only the newer ones stay loaded, and the others are read again when they are needed.
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

/**
 * Merges sorted changes into sorted messages. Drops changes of messages that are older than all loaded messages,
 * because they would leave a gap.
 */
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
  // The added messages are nearly always the newest. If they are not, all messages must be sorted.
  return added.every(({ id }) => Number(id) > newest) ? [...next, ...added] : [...next, ...added].sort(byId);
}
