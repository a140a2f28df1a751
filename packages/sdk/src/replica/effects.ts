// Applies the effect of each operation to the replica. An effect may run when the replica is already newer than the
// operation. So effects only move values forward, or mark records that must be read again.
import { type AppendedType, midPrefix, namedOperation, type ParametersOf } from '@sealpost/contract';
import type { OpenedOperation } from '../sealing/sealing-client.ts';
import type { Tx } from '../store/local-state.ts';
import { isMarked, type MarkKind, mark } from './marks.ts';
import { addNewest, forgetMessages } from './message-window.ts';
import { boxes, chatOf, contacts, cursors, isNewer, ME, places, readers } from './tables.ts';
import { setText } from './texts.ts';

/** Everything that an effect needs. */
export interface EffectContext {
  readonly tx: Tx;
  readonly me: string;
  readonly operation: OpenedOperation;
  /** Marks a record that this operation changed, so that the record is read again. */
  mark(kind: MarkKind, id: string): void;
  /**
   * Renews the mark of a box, if it has one, after this operation has changed the box on this device. Without this, the
   * answer to a request from before the operation would undo the change.
   */
  renewMark(chatMid: string): Promise<void>;
}

type Effect<T extends AppendedType> = (context: EffectContext, params: ParametersOf<T>) => Promise<void> | void;

const nothing = (): void => {};
const ofMe =
  (kind: 'profile' | 'settings') =>
  (context: EffectContext): void =>
    context.mark(kind, ME);
const ofContact = (context: EffectContext, { mid }: { readonly mid: string }): void => context.mark('contact', mid);

/**
 * Members or attributes of a chat changed. Its message box may change too, because members see only messages from the
 * time of their membership.
 */
function ofChat({ mark: change }: EffectContext, { chatMid }: { readonly chatMid: string }): void {
  change('chat', chatMid);
  change('box', chatMid);
}

async function addMessage({ tx, me, operation, mark: change, renewMark }: EffectContext): Promise<void> {
  const { message } = operation;
  if (!message) return;
  await addNewest(tx, me, message);
  await renewMark(chatOf(message, me));
  if (message.from !== me && !(await tx.get(contacts, message.from))) change('contact', message.from);
}

/** A message changed. If this device keeps it, it is read again. Returns its chat; undefined if it is not kept. */
async function ofMessage({ tx, mark: change }: EffectContext, { messageId }: { readonly messageId: string }) {
  const chatMid = await tx.get(places, messageId);
  if (chatMid !== undefined) change('message', messageId);
  return chatMid;
}

/** A message was unsent. Its chat's box is read again too, because the message may have been unread. */
async function unsent(context: EffectContext, params: { readonly chatMid: string; readonly messageId: string }) {
  const { chatMid, messageId } = params;
  if ((await ofMessage(context, params)) === undefined) await setText(context.tx, chatMid, messageId, undefined);
  context.mark('box', chatMid);
}

async function readByMe({ tx, mark: change, renewMark }: EffectContext, params: ParametersOf<'SEND_CHAT_CHECKED'>) {
  const { chatMid, messageId } = params;
  const box = await tx.get(boxes, chatMid);
  if (!box || !isNewer(messageId, box.seenId)) return;
  const all = !isNewer(box.newestId, messageId);
  tx.put(boxes, chatMid, { ...box, seenId: messageId, unread: all ? 0 : box.unread });
  if (all) await renewMark(chatMid);
  else change('box', chatMid);
}

async function readByMember({ tx }: EffectContext, params: ParametersOf<'NOTIFIED_READ_MESSAGE'>) {
  const { chatMid, reader, messageId } = params;
  const known = (await tx.get(readers, chatMid)) ?? {};
  if (isNewer(messageId, known[reader] ?? '0')) tx.put(readers, chatMid, { ...known, [reader]: messageId });
}

async function historyRemoved({ tx, mark: change }: EffectContext, params: ParametersOf<'SEND_CHAT_REMOVED'>) {
  await forgetMessages(tx, params.chatMid, params.messageId);
  change('box', params.chatMid);
}

const effects: { readonly [T in AppendedType]: Effect<T> } = {
  UPDATE_PROFILE: ofMe('profile'),
  NOTIFIED_UPDATE_PROFILE: ofContact,
  ADD_CONTACT: ofContact,
  NOTIFIED_ADD_CONTACT: ofContact,
  BLOCK_CONTACT: ofContact,
  UNBLOCK_CONTACT: ofContact,
  NOTIFIED_RECOMMEND_CONTACT: ofContact,
  INVITE_INTO_ROOM: ofChat,
  NOTIFIED_INVITE_INTO_ROOM: ofChat,
  LEAVE_ROOM: ofChat,
  NOTIFIED_LEAVE_ROOM: ofChat,
  SEND_MESSAGE: addMessage,
  RECEIVE_MESSAGE: addMessage,
  NOTIFIED_UNREGISTER_USER: ofContact,
  UPDATE_SETTINGS: ofMe('settings'),
  SEND_CHAT_CHECKED: readByMe,
  SEND_CHAT_REMOVED: historyRemoved,
  NOTIFIED_UPDATE_PURCHASES: nothing,
  UPDATE_CONTACT: ofContact,
  NOTIFIED_READ_MESSAGE: readByMember,
  NOTIFIED_JOIN_CHAT: ofChat,
  NOTIFIED_LEAVE_CHAT: ofChat,
  DESTROY_MESSAGE: unsent,
  NOTIFIED_DESTROY_MESSAGE: unsent,
  NOTIFIED_BLOCK_CONTACT: ofContact,
  NOTIFIED_UNBLOCK_CONTACT: ofContact,
  REGISTER_E2EE_PUBLICKEY: nothing,
  NOTIFIED_E2EE_KEY_UPDATE: nothing,
  NOTIFIED_POSTBACK: nothing,
  NOTIFIED_UPDATE_MESSAGE: async (context, params) => void (await ofMessage(context, params)),
  CREATE_CHAT: ofChat,
  UPDATE_CHAT: ofChat,
  NOTIFIED_UPDATE_CHAT: ofChat,
  INVITE_INTO_CHAT: ofChat,
  NOTIFIED_INVITE_INTO_CHAT: ofChat,
  CANCEL_CHAT_INVITATION: ofChat,
  NOTIFIED_CANCEL_CHAT_INVITATION: ofChat,
  DELETE_SELF_FROM_CHAT: ofChat,
  NOTIFIED_DELETE_SELF_FROM_CHAT: ofChat,
  ACCEPT_CHAT_INVITATION: ofChat,
  NOTIFIED_ACCEPT_CHAT_INVITATION: ofChat,
  REJECT_CHAT_INVITATION: ofChat,
  DELETE_OTHER_FROM_CHAT: ofChat,
  NOTIFIED_DELETE_OTHER_FROM_CHAT: ofChat,
  SEND_CHAT_HIDDEN: (context, { chatMid }) => context.mark('box', chatMid),
  SEND_REACTION: async (context, params) => void (await ofMessage(context, params)),
  NOTIFIED_SEND_REACTION: async (context, params) => void (await ofMessage(context, params)),
  SEND_ENCRYPTED_E2EE_KEY_REQUESTED: nothing,
};

/**
 * Returns whether an operation can belong to the account's log. An operation with a message between two other users
 * cannot.
 */
const isOfAccount = ({ message }: OpenedOperation, me: string): boolean =>
  !message?.to.startsWith(midPrefix.user) || message.to === me || message.from === me;

/**
 * Applies an operation, and moves the cursor to it. Returns false, and changes nothing, if operations before it are
 * missing, or if it belongs to the log of another account. An operation that was applied before changes nothing.
 */
export async function applyOperation(tx: Tx, me: string, operation: OpenedOperation): Promise<boolean> {
  const cursor = await tx.get(cursors, ME);
  const distance = Number(operation.revision) - Number(cursor?.revision ?? 0);
  if (distance <= 0) return true;
  if (distance > 1 || !isOfAccount(operation, me)) return false;
  tx.put(cursors, ME, { revision: operation.revision });
  // Only the parameters matter here, so the message is left out.
  const { message: _message, ...record } = operation;
  const named = namedOperation(record);
  if (!named) return true;
  const context: EffectContext = {
    tx,
    me,
    operation,
    mark: (kind, id) => mark(tx, kind, id, operation.revision),
    async renewMark(chatMid) {
      if (await isMarked(tx, 'box', chatMid)) mark(tx, 'box', chatMid, operation.revision);
    },
  };
  await run(named.type, context, named.params);
  return true;
}

const run = <T extends AppendedType>(type: T, context: EffectContext, params: object) =>
  (effects[type] as Effect<T>)(context, params as ParametersOf<T>);
