// updateChat: changes only the attributes that the bit mask selects. Some attributes belong to the chat, others to the
// caller alone.
import { ApiError, updateChatAttributes as bits, type ChatUpdate, type MethodArgs, parseI64 } from '@sealpost/contract';
import type { Caller, UserCall } from '../../platform/rpc/call.ts';
import { requirePicturePath } from '../../platform/rpc/picture-path.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { Heads, NewOperation } from '../../platform/stream/operation-log.ts';
import { announce, type ChangeDeps, lockLogs, tell } from './announce-change.ts';
import { requireChatName } from './chat-name.ts';
import { type LockedChat, lockAsMember, othersThan, type Party } from './lock-chat.ts';
import type { MembershipDeps } from './membership.ts';
import * as q from './queries.ts';

type Request = MethodArgs<'TalkService.updateChat'>[0];

const ALL = Object.values(bits).reduce((all, bit) => all | bit, 0);
const PERSONAL = bits.NOTIFICATION_SETTING | bits.FAVORITE_TIMESTAMP;

/** The attributes of a chat while an update changes them. */
interface Draft {
  name: string;
  picturePath: string;
  preventedJoinByTicket: boolean;
  invitationTicket: string;
  favoriteTime: number;
  notificationDisabled: boolean;
}

type Apply = (draft: Draft, update: ChatUpdate, chat: q.ChatRow) => void;

const attributes: { readonly [bit: number]: Apply } = {
  [bits.NAME](draft, { chatName }) {
    draft.name = requireChatName(given('chatName', chatName));
  },
  /** An absent or empty path removes the picture. */
  [bits.PICTURE_STATUS](draft, { picturePath }) {
    requirePicturePath(picturePath ?? '', draft.picturePath);
    draft.picturePath = picturePath ?? '';
  },
  [bits.PREVENTED_JOIN_BY_TICKET](draft, { extra }) {
    draft.preventedJoinByTicket = given(
      'extra.groupExtra.preventedJoinByTicket',
      extra?.groupExtra?.preventedJoinByTicket,
    );
  },
  [bits.NOTIFICATION_SETTING](draft, { notificationDisabled }) {
    draft.notificationDisabled = given('notificationDisabled', notificationDisabled);
  },
  [bits.INVITATION_TICKET](draft, { extra }) {
    draft.invitationTicket = given('extra.groupExtra.invitationTicket', extra?.groupExtra?.invitationTicket);
  },
  [bits.FAVORITE_TIMESTAMP](draft, { favoriteTimestamp }) {
    const time = parseI64(given('favoriteTimestamp', favoriteTimestamp)) ?? -1;
    if (time < 0)
      throw new ApiError('ILLEGAL_ARGUMENT', `request.chat.favoriteTimestamp ${favoriteTimestamp} is not a time`);
    draft.favoriteTime = time;
  },
  [bits.CHAT_TYPE](_draft, { type }, chat) {
    if (given('type', type) !== chat.kind) {
      throw new ApiError('ILLEGAL_ARGUMENT', `request.chat.type ${type}: the type of a chat is fixed by its mid`);
    }
  },
};

export const updateChat = (deps: MembershipDeps, call: UserCall, request: Request): Promise<Record<string, never>> =>
  deps.mutations.mutate(call, request.reqSeq, async (tx) => {
    const { updatedAttribute, chat: update } = request;
    if (updatedAttribute === 0 || (updatedAttribute & ~ALL) !== 0) {
      throw new ApiError('ILLEGAL_ARGUMENT', `request.updatedAttribute ${updatedAttribute} is not a set of known bits`);
    }
    const chat = await lockAsMember(tx, call.caller, 'request.chat.chatMid', update.chatMid);
    const removed = await applyUpdate(tx, call, chat, update, updatedAttribute);
    if (removed !== '') await deps.removePicture(tx, removed);
    await announceUpdate(tx, deps, {
      chat,
      call,
      reqSeq: request.reqSeq,
      changed: updatedAttribute,
      ...newName(request),
    });
    return {};
  });

const newName = ({ updatedAttribute, chat }: Request) =>
  (updatedAttribute & bits.NAME) !== 0 && chat.chatName !== undefined ? { name: chat.chatName } : {};

/** Sets the picture of a group after a member's upload, and returns the path of the previous picture. */
export async function setChatPicture(
  tx: Tx,
  deps: ChangeDeps,
  caller: Caller,
  { chatMid, picturePath }: { readonly chatMid: string; readonly picturePath: string },
): Promise<string> {
  const chat = await lockAsMember(tx, caller, 'mid', chatMid);
  const [before] = await tx.each(q.chatsByMid, [[chatMid]]);
  await tx.run(q.setPicture, picturePath, chat.chatId);
  await announceUpdate(tx, deps, { chat, call: { caller }, reqSeq: 0, changed: bits.PICTURE_STATUS });
  return before?.picture_path ?? '';
}

/** Takes away the picture of a group whose uploader is deleted. The calling function must hold all the locks. */
export async function losePicture(
  tx: Tx,
  { log }: ChangeDeps,
  chat: LockedChat,
  uploader: Party,
  heads: Heads,
): Promise<void> {
  await tx.run(q.setPicture, '', chat.chatId);
  await log.append(tx, newsOf(chat, uploader, bits.PICTURE_STATUS), heads);
}

/** Applies the selected attributes. Returns the path of the picture that this removes; an empty text if it removes none. */
async function applyUpdate(
  tx: Tx,
  { caller }: Pick<UserCall, 'caller'>,
  chat: LockedChat,
  update: ChatUpdate,
  mask: number,
): Promise<string> {
  const [row] = await tx.each(q.chatsByMid, [[chat.mid]]);
  const [own] = await tx.each(q.ownSides, [[chat.mid, caller.accountId]]);
  if (!row || !own) throw new Error('a locked chat has no row');
  const draft: Draft = {
    name: row.name,
    picturePath: row.picture_path,
    preventedJoinByTicket: row.prevented_join_by_ticket === 1,
    invitationTicket: row.invitation_ticket,
    favoriteTime: own.favorite_time,
    notificationDisabled: own.notification_disabled === 1,
  };
  for (const [bit, apply] of Object.entries(attributes)) if ((mask & Number(bit)) !== 0) apply(draft, update, row);
  if ((mask & ~PERSONAL) !== 0) {
    const prevented = draft.preventedJoinByTicket ? 1 : 0;
    await tx.run(q.setAttributes, draft.name, draft.picturePath, prevented, draft.invitationTicket, chat.chatId);
  }
  if ((mask & PERSONAL) !== 0) {
    await tx.run(q.setOwnSide, draft.favoriteTime, draft.notificationDisabled ? 1 : 0, chat.chatId, caller.accountId);
  }
  if ((mask & bits.NOTIFICATION_SETTING) !== 0) await tx.run(q.raiseVersionOnly, chat.chatId);
  return draft.picturePath === row.picture_path ? '' : row.picture_path;
}

/** Returns the operations that tell the others of a group, and those invited into it, of changed attributes. */
function newsOf(chat: LockedChat, { accountId, mid }: Party, attributes: number): NewOperation[] {
  const news = { type: 'NOTIFIED_UPDATE_CHAT', params: { chatMid: chat.mid, actor: mid, attributes } } as const;
  return [
    ...tell('members', othersThan(chat.members, accountId), news),
    ...tell('invitees', othersThan(chat.invitees, accountId), news),
  ];
}

/** Announces changed attributes. Personal attributes are announced to the caller's own sessions only. */
async function announceUpdate(
  tx: Tx,
  deps: ChangeDeps,
  update: { chat: LockedChat; call: Pick<UserCall, 'caller'>; reqSeq: number; changed: number; name?: string },
): Promise<void> {
  const { chat, call, reqSeq, changed, name } = update;
  const { accountId, mid } = call.caller;
  const shared = changed & ~PERSONAL;
  const news = shared === 0 ? [] : newsOf(chat, call.caller, shared);
  const heads = await lockLogs(tx, deps, [call.caller], news);
  await announce(tx, deps, {
    chat,
    actor: call.caller,
    reqSeq,
    heads,
    operations: [
      {
        accountId,
        to: 'self',
        type: 'UPDATE_CHAT',
        reqSeq,
        params: { chatMid: chat.mid, actor: mid, attributes: changed },
      },
      ...news,
    ],
    ...(name !== undefined && { messages: [{ key: 'C_PN', args: [mid, name] }], readers: chat.members }),
  });
}

function given<T>(field: string, value: T | undefined): T {
  if (value === undefined) {
    throw new ApiError('ILLEGAL_ARGUMENT', `request.chat.${field} is missing and selected by updatedAttribute`);
  }
  return value;
}
