// Finds messages that mention the account.
import type { StoredMessage } from '@sealpost/sdk';

/** Returns true if a message mentions a user and was written by somebody else. */
export function mentions(
  { from, contentMetadata }: Pick<StoredMessage, 'from' | 'contentMetadata'>,
  mid: string,
): boolean {
  if (from === mid || contentMetadata.MENTION === undefined) return false;
  try {
    const { MENTIONEES }: { MENTIONEES?: unknown } = JSON.parse(contentMetadata.MENTION);
    return Array.isArray(MENTIONEES) && MENTIONEES.some((entry) => entry?.M === mid);
  } catch {
    return false;
  }
}

/**
 * Updates a map that contains, by chat, the id of the newest message that mentions a user. Returns a new map if it
 * changes.
 * @param changed new and changed messages by chat; an id in place of a message means that the message is gone
 */
export function withMentions(
  mentioned: ReadonlyMap<string, string>,
  changed: Readonly<Record<string, readonly (StoredMessage | string)[]>>,
  mid: string,
): ReadonlyMap<string, string> {
  const next = new Map(mentioned);
  for (const [chatMid, messages] of Object.entries(changed)) {
    for (const message of messages) {
      if (typeof message === 'string' || !mentions(message, mid)) continue;
      if (Number(message.id) > Number(next.get(chatMid) ?? 0)) next.set(chatMid, message.id);
    }
  }
  return next.size === mentioned.size && [...next].every(([key, id]) => mentioned.get(key) === id) ? mentioned : next;
}
