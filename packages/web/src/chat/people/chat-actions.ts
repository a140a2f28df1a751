// Decides which actions the menu of a chat has, and in which order.
import type { ChatView } from '@sealpost/sdk';

export type ChatAction =
  | 'read'
  | 'mute'
  | 'unmute'
  | 'favor'
  | 'disfavor'
  | 'hide'
  | 'show'
  | 'delete-history'
  | 'leave';

/** Returns the actions that make sense for a chat now. Actions that destroy something come last. */
export function chatActions(
  chat: Pick<ChatView, 'kind' | 'unread' | 'muted' | 'favorite' | 'hidden' | 'invited'>,
): ChatAction[] {
  const { kind, unread, muted, favorite, hidden, invited } = chat;
  if (invited) return [muted ? 'unmute' : 'mute'];
  return [
    ...(unread > 0 ? (['read'] as const) : []),
    favorite ? 'disfavor' : 'favor',
    muted ? 'unmute' : 'mute',
    hidden ? 'show' : 'hide',
    'delete-history',
    ...(kind === 'user' ? [] : (['leave'] as const)),
  ];
}
