// Groups, chats and rooms: the exports of the slice.

export type { ContactsOf } from './chat-view.ts';
export { createGroupChats } from './group-chats.ts';
export { type ChatDeps, chatHandlers } from './handlers.ts';
export { leaveAllChats } from './leave-all-chats.ts';
export { lockAsMember } from './lock-chat.ts';
export { favoriteChatMids, membersWhoSee, sharedMembers } from './shared-chats.ts';
export { setChatPicture } from './update-chat.ts';
