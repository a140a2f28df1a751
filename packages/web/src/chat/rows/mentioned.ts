// Which messages mention the account.
import type { StoredMessage } from '@sealpost/sdk';

/** Returns whether a message of somebody else mentions a user. */
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
 * Returns the newest message of each chat that mentions the user, with those that changed.
 * @param changed messages by chat; an id alone is of a message that is gone
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
