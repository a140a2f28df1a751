// The methods of sealing keys by their wire names.
import { ApiError, type E2EENegotiationResult } from '@sealpost/contract';
import type { sealing } from '@sealpost/contract/schemas';
import type { Mutations } from '../../platform/idempotency/mutations.ts';
import type { Handlers, UserCall } from '../../platform/rpc/call.ts';
import { requireMid } from '../../platform/rpc/mids.ts';
import type { Store } from '../../platform/store/store.ts';
import { ownShare, ownShareOfLast, registerGroupKey, requireMemberChat } from './group-keys.ts';
import * as q from './queries.ts';
import { type RegisterDeps, registerPublicKey } from './register-public-key.ts';
import { ALLOWED_TYPES, recipientFrom, requireRecipients, SPEC_VERSION, toPublicKey } from './sealing.ts';

export interface SealingDeps extends RegisterDeps {
  readonly store: Store;
  readonly mutations: Mutations;
}

/** The answer for a user who does not accept sealed messages. */
const OFF: E2EENegotiationResult = { allowedTypes: [], specVersion: -1 };

export function sealingHandlers(deps: SealingDeps): Handlers<keyof typeof sealing> {
  const { store, mutations, clock } = deps;
  const ownKeys = async ({ caller }: UserCall) =>
    (await store.read((reader) => reader.all(q.keysOf, caller.accountId))).map(toPublicKey);

  // The argument `keyVersion` is ignored, because existing clients send 1 and 2 for the same keys.
  return {
    'TalkService.registerE2EEPublicKey': (call, reqSeq, publicKey) =>
      mutations.mutate(call, reqSeq, (tx) => registerPublicKey(tx, deps, call, reqSeq, publicKey)),
    'TalkService.getE2EEPublicKeys': ownKeys,
    'TalkService.getE2EEPublicKeysEx': ownKeys,

    'TalkService.getE2EEPublicKey': async (_call, mid, _keyVersion, keyId) => {
      requireMid('mid', mid);
      const key = await store.read((reader) => reader.one(q.keyOfMid, mid, keyId));
      if (!key) throw new ApiError('NOT_FOUND', `not found: keyId: ${mid} has no key ${keyId}`);
      return toPublicKey(key);
    },
    'TalkService.negotiateE2EEPublicKey': async (_call, mid) => {
      requireMid('mid', mid);
      const user = await store.read((reader) => reader.one(q.sealingOfMid, mid));
      if (!user) throw new ApiError('NOT_FOUND', `not found: mid: there is no user ${mid}`);
      const recipient = recipientFrom(user);
      if (!recipient) return OFF;
      return { allowedTypes: [...ALLOWED_TYPES], publicKey: recipient.key, specVersion: SPEC_VERSION };
    },
    'TalkService.getLastE2EEPublicKeys': ({ caller }, chatMid) =>
      store.read(async (reader) => {
        const chatId = await requireMemberChat(reader, caller, chatMid);
        const recipients = await requireRecipients(reader, chatId);
        return Object.fromEntries(recipients.map(({ mid, key }) => [mid, key]));
      }),

    'TalkService.registerE2EEGroupKey': ({ caller }, ...args) =>
      store.transact((tx) => registerGroupKey(tx, clock, caller, args)),
    'TalkService.getE2EEGroupSharedKey': ({ caller }, _keyVersion, chatMid, groupKeyId) =>
      store.read(async (reader) =>
        ownShare(reader, caller, await requireMemberChat(reader, caller, chatMid), groupKeyId),
      ),
    'TalkService.getLastE2EEGroupSharedKey': ({ caller }, _keyVersion, chatMid) =>
      store.read((reader) => ownShareOfLast(reader, caller, chatMid)),
  };
}
