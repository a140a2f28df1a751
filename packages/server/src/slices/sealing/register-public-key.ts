// Registers public keys. Keys are only added, and never changed or replaced. So somebody who stole a session can only
// add a key. The accounts that share a chat with the account are notified of an added key.
import { ApiError, type E2EEPublicKey, type MethodArgs } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { UserCall } from '../../platform/rpc/call.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import type { OperationLog } from '../../platform/stream/operation-log.ts';
import { extendLog } from '../key-log/index.ts';
import { isBase64Of } from './base64-bytes.ts';
import * as q from './queries.ts';
import { KEY_VERSION, toPublicKey } from './sealing.ts';

type GivenKey = MethodArgs<'TalkService.registerE2EEPublicKey'>[1];

export interface RegisterDeps {
  readonly clock: Clock;
  readonly log: OperationLog;
  /** Returns accounts that see this account in a group or room, but no more than may be notified. */
  readonly membersWhoSee: (reader: Reader, accountId: number) => Promise<readonly number[]>;
}

const KEY_BYTES = 32;
/**
 * X25519 points of small order, little-endian, with the unused highest bit cleared. Every shared secret with such a
 * point is zero, so everybody could open what is sealed for it.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);
/**
 * Maximum number of partners in one-to-one chats that are notified of a new key. Partners in the newest chats come
 * first.
 */
const MOST_PEERS = 1000;

export async function registerPublicKey(
  tx: Tx,
  { clock, log, membersWhoSee }: RegisterDeps,
  { caller }: UserCall,
  reqSeq: number,
  given: GivenKey,
): Promise<E2EEPublicKey> {
  requireKey(given);
  const { accountId, mid } = caller;
  async function findPartners(): Promise<readonly number[]> {
    const peers = await tx.all(q.peersOf, accountId, MOST_PEERS);
    return [...new Set([...peers.map((row) => row.peer_id), ...(await membersWhoSee(tx, accountId))])];
  }
  // While the account's log is locked, no other registration can come between the lookup and the insert. Nobody begins
  // to share a chat with the account either.
  const { found: partners, heads } = await log.lockFound(tx, findPartners, (ids) => [accountId, ...ids]);

  const same = await tx.one(q.keyByData, accountId, given.keyData);
  requireNoOtherId(given, same?.key_id);
  if (same) return toPublicKey(same);

  const newest = await tx.one(q.newestKeyOf, accountId);
  // Creation times rise with the ids, so that the newest key has both the largest id and the latest time.
  const createdTime = Math.max(clock.now(), (newest?.created_time ?? 0) + 1);
  const { last_key_id: keyId } = (await tx.one(q.nextKeyId)) as { last_key_id: number };
  await tx.run(q.insertKey, accountId, keyId, given.keyData, createdTime);
  await tx.run(q.setSealingKey, accountId);
  await extendLog(tx);
  await log.append(
    tx,
    [
      { accountId, to: 'self', type: 'REGISTER_E2EE_PUBLICKEY', reqSeq, params: { keyId } },
      ...partners.map((partnerId) => ({
        accountId: partnerId,
        to: 'party' as const,
        type: 'NOTIFIED_E2EE_KEY_UPDATE' as const,
        params: { mid, keyId },
      })),
    ],
    heads,
  );
  return toPublicKey({ key_id: keyId, key_data: given.keyData, created_time: createdTime });
}

function requireKey({ version = KEY_VERSION, keyData }: GivenKey): void {
  if (version !== KEY_VERSION) {
    throw new ApiError('E2EE_INVALID_VERSION', `publicKey.version is ${version}, only ${KEY_VERSION} is known`);
  }
  if (!isBase64Of(keyData, KEY_BYTES)) {
    throw new ApiError('E2EE_INVALID_ARGUMENT', `publicKey.keyData must be base64 of ${KEY_BYTES} bytes`);
  }
  if (isOfSmallOrder(keyData)) {
    throw new ApiError('E2EE_INVALID_ARGUMENT', 'publicKey.keyData is not a usable key: with it every secret is zero');
  }
}

function isOfSmallOrder(keyData: string): boolean {
  const point = Buffer.from(keyData, 'base64');
  point[KEY_BYTES - 1] = (point[KEY_BYTES - 1] as number) & 0x7f;
  return SMALL_ORDER.has(point.toString('hex'));
}

/** Throws if the client sends an id other than the one that the key already has. Only the server assigns ids. */
function requireNoOtherId({ keyId = 0 }: GivenKey, known: number | undefined): void {
  if (keyId <= 0 || keyId === known) return;
  throw new ApiError(
    'E2EE_INVALID_ARGUMENT',
    `publicKey.keyId ${keyId} is not the id of this key; send 0 for a new one`,
  );
}
