// Everything that an account can do with groups and rooms, such as inviting users and renaming a group.
import { type Chat, type ChatUpdate, chatTypes, midPrefix, type Room, updateChatAttributes } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Contacts } from '../contacts/index.ts';
import { pagesOf } from '../gateway/pages.ts';
import type { Picture } from '../media/picture.ts';
import { uploadPicture } from '../media/upload-picture.ts';
import type { ClientLimits } from '../replica/client-limits.ts';
import type { RpcClient } from '../rpc-client.ts';

export interface ChatsDeps {
  readonly rpc: RpcClient;
  readonly contacts: Pick<Contacts, 'setMuted' | 'setFavorite'>;
  readonly clock: Clock;
  limits(): Promise<ClientLimits>;
}

export interface NewGroup {
  readonly name?: string;
  /** The mids of those who are invited. */
  readonly members: Iterable<string>;
  readonly picture?: Picture;
}

/** The members and invitees of a chat, by mid. */
export interface ChatMembers {
  readonly members: readonly string[];
  readonly invitees: readonly string[];
}

type Attribute = keyof typeof updateChatAttributes;

export class Chats {
  readonly #deps: ChatsDeps;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  /** Creates a group, and invites the given members, who then accept or reject. Returns the mid of the group. */
  async createGroup({ name = '', members, picture }: NewGroup): Promise<string> {
    const chatMid = await this.#create(chatTypes.GROUP, name, members);
    if (picture) await this.setPicture(chatMid, picture);
    return chatMid;
  }

  /** Creates a room. Its members are in it at once. Returns the mid of the room. */
  createRoom(members: Iterable<string>, name = ''): Promise<string> {
    return this.#create(chatTypes.ROOM, name, members);
  }

  /** Invites users into a group, or adds them to a room. */
  async invite(chatMid: string, mids: Iterable<string>): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    const targetUserMids = [...mids];
    if (isRoom(chatMid)) await TalkService.inviteIntoRoom(nextReqSeq(), chatMid, targetUserMids);
    else await TalkService.inviteIntoChat({ reqSeq: nextReqSeq(), chatMid, targetUserMids });
  }

  /** Accepts an invitation into a group. */
  async accept(chatMid: string): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.acceptChatInvitation({ reqSeq: nextReqSeq(), chatMid });
  }

  /** Declines an invitation into a group. */
  async reject(chatMid: string): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.rejectChatInvitation({ reqSeq: nextReqSeq(), chatMid });
  }

  /** Withdraws invitations into a group. */
  async cancelInvitation(chatMid: string, mids: Iterable<string>): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.cancelChatInvitation({ reqSeq: nextReqSeq(), chatMid, targetUserMids: [...mids] });
  }

  /** Leaves a group or room. */
  async leave(chatMid: string): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    if (isRoom(chatMid)) await TalkService.leaveRoom(nextReqSeq(), chatMid);
    else await TalkService.deleteSelfFromChat({ reqSeq: nextReqSeq(), chatMid });
  }

  /** Removes members from a group. */
  async removeMembers(chatMid: string, mids: Iterable<string>): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    await TalkService.deleteOtherFromChat({ reqSeq: nextReqSeq(), chatMid, targetUserMids: [...mids] });
  }

  rename(chatMid: string, chatName: string): Promise<void> {
    return this.#update('NAME', { chatMid, chatName });
  }

  /**
   * Uploads a picture without its metadata, and makes it the picture of a group. Returns its path on the server.
   * @throws MediaError `metadata` if the picture has a format from which metadata cannot be removed
   */
  async setPicture(chatMid: string, picture: Picture): Promise<string> {
    return uploadPicture(this.#deps.rpc, chatMid, picture);
  }

  removePicture(chatMid: string): Promise<void> {
    return this.#update('PICTURE_STATUS', { chatMid, picturePath: '' });
  }

  /** Turns notifications of a chat off or on. In a one-to-one chat, that is a setting of the contact. */
  setMuted(chatMid: string, muted: boolean): Promise<void> {
    if (isUser(chatMid)) return this.#deps.contacts.setMuted(chatMid, muted);
    return this.#update('NOTIFICATION_SETTING', { chatMid, notificationDisabled: muted });
  }

  /**
   * Makes a chat a favourite, or removes it from the favourites. In a one-to-one chat, that is a setting of the
   * contact.
   */
  setFavorite(chatMid: string, favorite: boolean): Promise<void> {
    if (isUser(chatMid)) return this.#deps.contacts.setFavorite(chatMid, favorite);
    const favoriteTimestamp = favorite ? String(this.#deps.clock.now()) : '0';
    return this.#update('FAVORITE_TIMESTAMP', { chatMid, favoriteTimestamp });
  }

  /** Allows joining a group with its ticket, or prevents it. */
  setJoiningByTicket(chatMid: string, allowed: boolean): Promise<void> {
    const extra = { groupExtra: { preventedJoinByTicket: !allowed } };
    return this.#update('PREVENTED_JOIN_BY_TICKET', { chatMid, extra });
  }

  /** The token may have changed while this call waited, because another call renewed it. */
  setTicket(chatMid: string, invitationTicket: string): Promise<void> {
    return this.#update('INVITATION_TICKET', { chatMid, extra: { groupExtra: { invitationTicket } } });
  }

  /** Returns the mids of the groups and rooms that the account is in, and of those that it is invited to. */
  async mids(): Promise<{ readonly joined: readonly string[]; readonly invited: readonly string[] }> {
    const request = { withMemberChats: true, withInvitedChats: true };
    const { memberChatMids, invitedChatMids } = await this.#deps.rpc.TalkService.getAllChatMids(request);
    return { joined: memberChatMids, invited: invitedChatMids };
  }

  /** Reads groups and rooms from the server, by mid. Those that the account is not in are left out. */
  async get(chatMids: Iterable<string>): Promise<Map<string, Chat>> {
    const found = new Map<string, Chat>();
    for (const page of await this.#pages(chatMids)) {
      const request = { chatMids: page, withMembers: true, withInvitees: true };
      const { chats } = await this.#deps.rpc.TalkService.getChats(request);
      for (const chat of chats) found.set(chat.chatMid, chat);
    }
    return found;
  }

  /** Reads rooms with the records of their members from the server, by mid. */
  async rooms(roomMids: Iterable<string>): Promise<Map<string, Room>> {
    const found = new Map<string, Room>();
    for (const page of await this.#pages(roomMids)) {
      for (const room of await this.#deps.rpc.TalkService.getRoomsV2(page)) found.set(room.mid, room);
    }
    return found;
  }

  /** Reads the members and invitees of groups and rooms from the server, by the mid of the chat. */
  async members(chatMids: Iterable<string>): Promise<Map<string, ChatMembers>> {
    const chats = [...(await this.get(chatMids)).values()];
    return new Map(
      chats.map(({ chatMid, extra }) => [
        chatMid,
        { members: extra?.groupExtra?.memberMids ?? [], invitees: extra?.groupExtra?.inviteeMids ?? [] },
      ]),
    );
  }

  async #create(type: Chat['type'], name: string, members: Iterable<string>): Promise<string> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    const request = { reqSeq: nextReqSeq(), type, name, targetUserMids: [...members] };
    return (await TalkService.createChat(request)).chat.chatMid;
  }

  /**
   * Sends the whole chat with one changed attribute, as the specification asks clients to do. The bit in
   * `updatedAttribute` tells what changed.
   */
  async #update(attribute: Attribute, update: ChatUpdate): Promise<void> {
    const { TalkService, nextReqSeq } = this.#deps.rpc;
    const { chatMid, extra, ...changed } = update;
    const request = { chatMids: [chatMid], withMembers: true, withInvitees: true };
    const now = (await TalkService.getChats(request)).chats.find((chat) => chat.chatMid === chatMid);
    const groupExtra = { ...now?.extra?.groupExtra, ...extra?.groupExtra };
    const chat = {
      type: isRoom(chatMid) ? chatTypes.ROOM : chatTypes.GROUP,
      ...now,
      ...changed,
      chatMid,
      ...((now?.extra ?? extra) && { extra: { ...now?.extra, groupExtra } }),
    };
    await TalkService.updateChat({ reqSeq: nextReqSeq(), chat, updatedAttribute: updateChatAttributes[attribute] });
  }

  async #pages(mids: Iterable<string>): Promise<string[][]> {
    const all = [...mids];
    return all.length === 0 ? [] : pagesOf(all, (await this.#deps.limits()).midsPerCall);
  }
}

const isRoom = (mid: string): boolean => mid.startsWith(midPrefix.room);
const isUser = (mid: string): boolean => mid.startsWith(midPrefix.user);
