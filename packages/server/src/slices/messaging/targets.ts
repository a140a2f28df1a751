// Finds the chat and the recipients of each send, and creates one-to-one chats that do not exist yet.
import { ApiError, isMid } from '@sealpost/contract';
import { growingCache } from '../../platform/kernel/growing-cache.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { timeOfId } from '../../platform/kernel/ids.ts';
import type { Caller } from '../../platform/rpc/call.ts';
import type { Tx } from '../../platform/store/store.ts';
import { absent } from './conversation.ts';
import type { AskedGroup, GroupChat, GroupChats, GroupKey } from './groups.ts';
import * as q from './queries.ts';
import type { Send } from './send.ts';

/** The destination of a message: its chat, and the accounts that the chat has besides the sender. */
export interface Target {
  readonly chatId: number;
  readonly recipientIds: readonly number[];
  /** True if the chat is one-to-one. The chat of an account with itself counts as one-to-one. */
  readonly peer: boolean;
  /** Account ids of the group members that muted the chat. */
  readonly mutedIds?: ReadonlySet<number>;
  /** Account ids of the group members that do not get the message. It is sealed for them too. */
  readonly withheldIds?: ReadonlySet<number>;
  /** The sealing key of a group or room. */
  readonly key?: GroupKey;
}

/**
 * Maximum number of pairs of accounts whose one-to-one chat is kept in memory. Such a chat never changes. Whether both
 * accounts still exist is known from the locked logs.
 */
const KNOWN_PAIRS = 100_000;
const PEER_KIND = 2;

export const notAUser = (mid: string): ApiError => new ApiError('NOT_FOUND', `message.to: there is no user ${mid}`);

/** A send with its target, or with the error that refuses the send. */
export interface TargetedSend {
  readonly send: Send;
  readonly target: Target | ApiError;
}

export function createTargets(deps: { readonly ids: Ids; readonly groups: GroupChats }) {
  const known = growingCache<string, Target>(KNOWN_PAIRS);
  const pairOf = (caller: Caller, mid: string) => `${caller.accountId} ${mid}`;

  /** Finds the targets, and locks their groups together with further groups, in the order of their ids. */
  return async function findTargets(
    tx: Tx,
    sends: readonly Send[],
    further: readonly AskedGroup[],
  ): Promise<TargetedSend[]> {
    const askedGroups = new Map(further.map((group) => [`${group.accountId} ${group.mid}`, group]));
    const strangers = new Map<string, Send>();
    for (const send of sends) {
      const { to } = send.message;
      const pair = pairOf(send.caller, to);
      if (isGroup(to)) askedGroups.set(pair, { mid: to, accountId: send.caller.accountId });
      else if (!known.has(pair)) strangers.set(pair, send);
    }
    const groups = askedGroups.size > 0 ? await deps.groups.lock(tx, [...askedGroups.values()]) : NO_GROUPS;
    const found = strangers.size > 0 ? await findPeers(tx, strangers) : NO_PEERS;
    const targetOf = ({ caller, message: { to } }: Send): Target | ApiError => {
      if (isGroup(to)) return groupTarget(groups.get(to), caller) ?? absent('message.to', to);
      const pair = pairOf(caller, to);
      return known.get(pair) ?? found.get(pair) ?? (isMid(to) ? notAUser(to) : absent('message.to', to));
    };
    return sends.map((send) => ({ send, target: targetOf(send) }));
  };

  async function findPeers(tx: Tx, strangers: ReadonlyMap<string, Send>): Promise<ReadonlyMap<string, Target>> {
    const targets = new Map<string, Target>();
    for (const [pair, { caller, message }] of strangers) {
      const peer = await tx.one(q.accountByMid, message.to);
      if (!peer) continue;
      const target = {
        chatId: await openPeerChat(tx, caller, peer.id, message.to),
        recipientIds: peer.id === caller.accountId ? [] : [peer.id],
        peer: true,
      };
      targets.set(pair, target);
      tx.onCommit(() => known.set(pair, target));
    }
    return targets;
  }

  /**
   * Returns the id of the chat of two accounts. Creates the chat, and its box for each account, if they do not exist.
   */
  async function openPeerChat(tx: Tx, caller: Caller, peerId: number, peerMid: string): Promise<number> {
    const key = peerKey(caller.accountId, peerId);
    const existing = await tx.one(q.peerChat, key);
    const chatId = existing?.id ?? deps.ids.next();
    if (!existing) await tx.run(q.insertChat, chatId, key, PEER_KIND, timeOfId(chatId));
    await tx.run(q.insertBox, caller.accountId, peerMid, chatId, peerId);
    if (peerId !== caller.accountId) await tx.run(q.insertBox, peerId, caller.mid, chatId, caller.accountId);
    return chatId;
  }
}

const NO_GROUPS: ReadonlyMap<string, GroupChat> = new Map();
const NO_PEERS: ReadonlyMap<string, Target> = new Map();

/** Returns the group as a target; undefined if the account is not a member. */
function groupTarget(group: GroupChat | undefined, { accountId }: Caller): Target | undefined {
  if (!group?.memberIds.includes(accountId) || group.withheldIds.has(accountId)) return undefined;
  const recipientIds = group.memberIds.filter((id) => id !== accountId);
  const { chatId, mutedIds, withheldIds, key } = group;
  return { chatId, recipientIds, peer: false, mutedIds, withheldIds, key };
}

export const isGroup = (mid: string): boolean => mid.startsWith('c') || mid.startsWith('r');

/** Returns the key under which the store finds a one-to-one chat. The key is the same for both accounts. */
const peerKey = (a: number, b: number): string => (a < b ? `${a}:${b}` : `${b}:${a}`);
