// The methods of groups, chats and rooms by their wire names.
import type { chats } from '@sealpost/contract/schemas';
import type { Handlers } from '../../platform/rpc/call.ts';
import type { Store } from '../../platform/store/store.ts';
import { type ContactsOf, chatsFor, roomsFor } from './chat-view.ts';
import { createChat } from './create-chat.ts';
import { acceptChatInvitation, cancelChatInvitation, rejectChatInvitation } from './end-invitation.ts';
import { inviteIntoChat, inviteIntoRoom } from './invite.ts';
import { deleteSelfFromChat, leaveRoom } from './leave-chat.ts';
import type { MembershipDeps } from './membership.ts';
import * as q from './queries.ts';
import { deleteOtherFromChat } from './remove-members.ts';
import { updateChat } from './update-chat.ts';

export interface ChatDeps extends MembershipDeps {
  readonly store: Store;
  readonly contactsOf: ContactsOf;
}

export function chatHandlers(deps: ChatDeps): Handlers<keyof typeof chats> {
  const { store, contactsOf } = deps;

  return {
    'TalkService.createChat': (call, request) => createChat(deps, call, request),
    'TalkService.updateChat': (call, request) => updateChat(deps, call, request),
    'TalkService.inviteIntoChat': (call, request) => inviteIntoChat(deps, call, request),
    'TalkService.deleteOtherFromChat': (call, request) => deleteOtherFromChat(deps, call, request),
    'TalkService.cancelChatInvitation': (call, request) => cancelChatInvitation(deps, call, request),
    'TalkService.deleteSelfFromChat': (call, request) => deleteSelfFromChat(deps, call, request),
    'TalkService.rejectChatInvitation': (call, request) => rejectChatInvitation(deps, call, request),
    'TalkService.acceptChatInvitation': (call, request) => acceptChatInvitation(deps, call, request),
    'TalkService.inviteIntoRoom': (call, reqSeq, roomMid, contactIds) =>
      inviteIntoRoom(deps, call, reqSeq, roomMid, contactIds),
    'TalkService.leaveRoom': (call, reqSeq, roomMid) => leaveRoom(deps, call, reqSeq, roomMid),

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
