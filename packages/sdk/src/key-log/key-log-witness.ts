// Checks the server against its key log. Every head must be signed and continue the head before it, and every key must
// be in the log. The bytes and the calls are in docs/key-log.md.
import type { E2EEPublicKey, ErrorName, KeyLogProof, KeyTreeHead } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import {
  type Bytes,
  encodeKeyLeaf,
  fromBase64,
  leafHash,
  midHash,
  verifyConsistency,
  verifyInclusion,
  verifyTreeHead,
} from '@sealpost/crypto';
import { loaded } from '../deferred.ts';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError } from '../gateway/errors.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import type { TrustMemory } from '../trust/trust-memory.ts';

/** A public key, and the user who owns it according to the server. */
export interface OwnedKey {
  readonly mid: string;
  readonly key: Pick<E2EEPublicKey, 'keyId' | 'keyData' | 'createdTime'>;
}

/**
 * The largest age of a head, in milliseconds. The server signs a head at each request, but the clock of a user's device
 * may be wrong by some hours.
 */
const OLDEST_HEAD_MS = 24 * 3_600_000;

/** The public part of a `KeyLogWitness`. */
export type Witness = Pick<KeyLogWitness, keyof KeyLogWitness>;

export class KeyLogWitness {
  readonly #gateway: Pick<Gateway, 'anonymous'>;
  readonly #memory: TrustMemory;
  readonly #clock: Clock;

  constructor(gateway: Pick<Gateway, 'anonymous'>, memory: TrustMemory, clock: Clock) {
    this.#gateway = gateway;
    this.#memory = memory;
    this.#clock = clock;
  }

  /**
   * Returns the current head of the log, after checking that it continues the remembered head. Returns undefined if
   * this server has no log and never had one.
   * @throws KeyTrustError for a head that must not be trusted
   */
  async head(): Promise<KeyTreeHead | undefined> {
    // The remembered head is read before the call, because another process may remember a newer head during the call.
    const { head: known } = await this.#memory.log();
    const shown = await orAbsent(NO_LOG, this.#gateway.anonymous('KeyTransparencyService.getTreeHead'));
    if (!shown) {
      if (known)
        throw new KeyTrustError('withdrawn', `the server had a log of ${known.treeSize} keys and has none now`);
      return undefined;
    }
    await requireSigned(shown);
    this.#requireFresh(shown);
    if (known) await this.#requireContinued(known, shown);
    await this.#memory.updateLog((log) =>
      log.head && log.head.treeSize > shown.treeSize ? log : { ...log, head: shown },
    );
    return shown;
  }

  /** Returns the remembered head if its log is long enough to have this key, otherwise the current head. */
  async headFor(keyId: number): Promise<KeyTreeHead | undefined> {
    const { head } = await this.#memory.log();
    return head && head.treeSize >= keyId ? head : this.head();
  }

  /**
   * Checks that the log has a key with exactly this value.
   * @throws KeyTrustError if the log of `head` does not have the key
   */
  async requireLogged(head: KeyTreeHead, { mid, key }: OwnedKey): Promise<void> {
    const { keyId } = key;
    const missing = (why: string) =>
      new KeyTrustError(
        'not-in-log',
        `the key log does not hold key ${keyId} of ${mid} as the server returned it (${why})`,
        {
          mid,
          keyId,
        },
      );
    if (!(keyId >= 1 && keyId <= head.treeSize)) throw missing(`it has ${head.treeSize} keys`);
    const leaf = leafOfKey(mid, key);
    if (!leaf) throw missing('it is not a key');
    const request = { keyId, treeSize: head.treeSize };
    const proof = await hashesOf(this.#gateway.anonymous('KeyTransparencyService.getInclusionProof', request));
    // If the log has lost entries, the server has no proof for the old size. In that case, head() throws the error that
    // names this reason.
    if (!proof) await this.head();
    const claim = { leafHash: leaf, index: keyId - 1, size: head.treeSize, root: fromBase64(head.rootHash) };
    if (!proof || !verifyInclusion({ ...claim, proof })) throw missing('the proof does not lead to the signed head');
  }

  /** Returns whether the tree with `oldSize` leaves and the root `oldRoot` is the beginning of the log. */
  async isBeginning(oldSize: number, oldRoot: Bytes, head: KeyTreeHead): Promise<boolean> {
    const newSize = head.treeSize;
    const request = { firstSize: oldSize, secondSize: newSize };
    const proof =
      oldSize === 0 || oldSize === newSize
        ? []
        : await hashesOf(this.#gateway.anonymous('KeyTransparencyService.getConsistencyProof', request));
    return !!proof && verifyConsistency({ oldSize, oldRoot, newSize, newRoot: fromBase64(head.rootHash), proof });
  }

  #requireFresh(head: KeyTreeHead): void {
    const age = this.#clock.now() - Number(head.timestamp);
    if (age <= OLDEST_HEAD_MS) return;
    const signedAt = new Date(Number(head.timestamp)).toISOString();
    throw new KeyTrustError('stale', `the head of the key log was signed at ${signedAt}`);
  }

  async #requireContinued(known: KeyTreeHead, shown: KeyTreeHead): Promise<void> {
    const heads = { known, shown };
    if (shown.publicKey !== known.publicKey) {
      const keys = `the key log is signed with ${shown.publicKey}, it was with ${known.publicKey}`;
      throw new KeyTrustError('other-log-key', keys, { heads });
    }
    if (shown.treeSize < known.treeSize) {
      const sizes = `the key log has ${shown.treeSize} keys, it had ${known.treeSize}`;
      throw new KeyTrustError('rewound', sizes, { heads });
    }
    if (!(await this.isBeginning(known.treeSize, fromBase64(known.rootHash), shown))) {
      const sizes = `the key log of ${shown.treeSize} keys does not begin with the ${known.treeSize} keys that it had`;
      throw new KeyTrustError('forked', sizes, { heads });
    }
  }
}

const NO_LOG: readonly ErrorName[] = ['NOT_FOUND_PATH'];

/** Returns the answer; undefined if the server answered one of the errors in `absent`. */
async function orAbsent<T>(absent: readonly ErrorName[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GatewayError && error.error && absent.includes(error.error)) return undefined;
    throw error;
  }
}

/** Returns the hashes of a proof; undefined if the server refused, or answered something that is not a proof. */
async function hashesOf(answer: Promise<KeyLogProof>): Promise<Bytes[] | undefined> {
  const proof = await orAbsent([...NO_LOG, 'NOT_FOUND'], answer);
  return Array.isArray(proof?.hashes) ? attempt(() => proof.hashes.map(fromBase64)) : undefined;
}

async function requireSigned(head: KeyTreeHead): Promise<void> {
  const parts = attempt(() => ({
    signed: { size: head.treeSize, timestamp: Number(head.timestamp), root: fromBase64(head.rootHash) },
    signature: fromBase64(head.signature),
    publicKey: fromBase64(head.publicKey),
  }));
  if (!parts || !(await loaded(verifyTreeHead(parts.signed, parts.signature, parts.publicKey))))
    throw new KeyTrustError('bad-head', 'the head of the key log is not signed with its key');
}

const leafOfKey = (mid: string, { keyId, keyData, createdTime }: OwnedKey['key']): Bytes | undefined =>
  attempt(() =>
    leafHash(
      encodeKeyLeaf({ midHash: midHash(mid), keyId, key: fromBase64(keyData), createdTime: Number(createdTime) }),
    ),
  );

/**
 * Returns what `read` returns; undefined if `read` throws, because a server may answer bytes that cannot be decoded.
 */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
