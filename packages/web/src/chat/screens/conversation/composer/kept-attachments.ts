// The files that wait in the composers of all chats, by account and chat. They stay while the person looks at other chats,
// until they are sent, or the page is closed.
import type { Attachments } from './attachments.ts';

const kept = new Map<string, Attachments>();

/** Returns the files that were kept under a key; if there are none, makes an empty list. */
export function keptAttachments(key: string, make: () => Attachments): Attachments {
  const found = kept.get(key) ?? make();
  kept.set(key, found);
  return found;
}

/** Forgets all files. Called when the session ends. */
export function forgetAttachments(): void {
  for (const attachments of kept.values()) attachments.clear();
  kept.clear();
}
