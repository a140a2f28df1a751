export { absent } from './conversation.ts';
export type { GroupChat, GroupChats, Span } from './groups.ts';
export { type MessagingDeps, messagingHandlers } from './handlers.ts';
export type { SealingRules, Withheld } from './send-message.ts';
export { postSystemMessages, type SystemMessage } from './system-message.ts';
