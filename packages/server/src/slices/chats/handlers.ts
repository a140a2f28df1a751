// The methods of groups, chats and rooms by wire name.
import type { chats } from '@sealpost/contract/schemas';
import type { Handlers } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import { type ContactsOf, chatsFor, roomsFor } from './chat-view.ts';
import { createChat } from './create-chat.ts';
import { createMembership, type MembershipDeps } from './membership.ts';
import * as q from './queries.ts';
import { updateChat } from './update-chat.ts';

export interface ChatDeps extends MembershipDeps {
  readonly store: Store;
  readonly contactsOf: ContactsOf;
}

export function chatHandlers(deps: ChatDeps): Handlers<keyof typeof chats> {
  const { store, contactsOf } = deps;
  const membership = createMembership(deps);

  return {
    'TalkService.createChat': (call, request) => createChat(deps, call, request),
    'TalkService.updateChat': (call, request) => updateChat(deps, call, request),
    'TalkService.inviteIntoChat': membership.inviteIntoChat,
    'TalkService.deleteOtherFromChat': membership.deleteOtherFromChat,
    'TalkService.cancelChatInvitation': membership.cancelChatInvitation,
    'TalkService.deleteSelfFromChat': membership.deleteSelfFromChat,
    'TalkService.rejectChatInvitation': membership.rejectChatInvitation,
    'TalkService.acceptChatInvitation': membership.acceptChatInvitation,
    'TalkService.inviteIntoRoom': membership.inviteIntoRoom,
    'TalkService.leaveRoom': membership.leaveRoom,

    'TalkService.getAllChatMids': ({ caller }, { withMemberChats, withInvitedChats }) =>
      store.read(async (reader) => {
        const midsWith = async (joined: number) =>
          (await reader.all(q.chatMidsOf, caller.accountId, joined)).map((row) => row.mid);
        return {
          memberChatMids: withMemberChats ? await midsWith(1) : [],
          invitedChatMids: withInvitedChats ? await midsWith(0) : [],
        };
      }),
    'TalkService.getChats': ({ caller }, { chatMids, withMembers, withInvitees }) =>
      store.read(async (reader) => ({
        chats: await chatsFor(reader, caller, chatMids, {
          members: withMembers ?? false,
          invitees: withInvitees ?? false,
        }),
      })),
    'TalkService.getRoomsV2': ({ caller }, roomMids) =>
      store.read((reader) => roomsFor(reader, caller, roomMids, contactsOf)),
  };
}
