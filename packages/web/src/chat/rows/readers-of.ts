// Finds out who has read a message.
import type { StoredMessage } from '@sealpost/sdk';

/** Returns the members who have read a message and those who have not, without its sender. */
export function readersOf(
  { id, from }: Pick<StoredMessage, 'id' | 'from'>,
  members: readonly string[],
  readers: Readonly<Record<string, string>>,
): { readonly read: readonly string[]; readonly unread: readonly string[] } {
  const others = members.filter((mid) => mid !== from);
  const hasRead = (mid: string): boolean => Number(readers[mid] ?? 0) >= Number(id);
  return { read: others.filter(hasRead), unread: others.filter((mid) => !hasRead(mid)) };
}
