export { absent } from './conversation.ts';
export { forgetMessages } from './forget-account.ts';
export type { GroupChat, GroupChats, Span } from './groups.ts';
export { type MessagingDeps, messagingHandlers } from './handlers.ts';
export { createMediaMessages } from './media-messages.ts';
export { removeUpTo } from './remove-history.ts';
export { headerOf, isSealed } from './sealed-form.ts';
export type { Guards, GuardsOf, SealingRules } from './send-message.ts';
export { postSystemMessages, type SystemMessage, type SystemReader } from './system-message.ts';
