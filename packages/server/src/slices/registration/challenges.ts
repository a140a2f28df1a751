// Challenges: a computation that a client must do to register without an invite. A challenge is signed and not stored.
// Only the ids of used challenges are stored, until they expire.
import type { Challenge, SolvedChallenge } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { randomBase64url } from '../../platform/kernel/random-text.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { deleteExpiredChallenges, findUsedChallenge, useChallenge } from './queries.ts';

const ALGORITHM = 'PBKDF2/SHA-256';
/** The first byte in hex of the key that solves a challenge. On average, one of 256 tries finds such a key. */
const PREFIX = '00';
const ID_BYTES = 16;

export interface Challenges {
  create(): Promise<Challenge>;
  /**
   * Returns what is wrong with a solved challenge; undefined if it is right. Does not check whether the challenge was
   * used before.
   */
  fault(solved: SolvedChallenge): Promise<string | undefined>;
  wasUsed(solved: SolvedChallenge): Promise<boolean>;
  /** Uses a challenge up. Returns false if the challenge was used before. */
  use(tx: Tx, solved: SolvedChallenge): Promise<boolean>;
  /** Removes used challenges that have expired. */
  sweep(): Promise<void>;
}

export interface ChallengesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The key that signs challenges. It is the same for all servers of a database. */
  readonly key: Buffer;
  /** Number of PBKDF2 iterations for each try. */
  readonly cost: number;
  readonly lifeMs: number;
}

export function createChallenges({ store, clock, random, key, cost, lifeMs }: ChallengesDeps): Challenges {
  const hmacSignatureSecret = key.toString('base64url');
  return {
    async create() {
      const data = { id: randomBase64url(random, ID_BYTES), expires: clock.now() + lifeMs };
      const made = await createChallenge({
        ...{ algorithm: ALGORITHM, cost, deriveKey, keyPrefix: PREFIX, data, hmacSignatureSecret },
      });
      const { nonce, salt, keyLength, keyPrefix } = made.parameters;
      const parameters = { algorithm: ALGORITHM, cost, data, keyLength, keyPrefix, nonce, salt } as const;
      return { parameters, signature: made.signature ?? '' };
    },
    async fault({ challenge, solution }) {
      // The expiry is checked here and not in the library, because the library would use the clock of the system.
      if (challenge.parameters.data.expires <= clock.now()) return 'the challenge has expired; ask for another';
      const { verified, invalidSignature } = await verifySolution({
        ...{ challenge, solution, deriveKey, hmacSignatureSecret },
      });
      if (invalidSignature) return 'the challenge is not from this server, or was changed; ask for another';
      return verified ? undefined : 'the challenge is not solved by this counter and key';
    },
    wasUsed: async ({ challenge }) =>
      (await store.read((reader) => reader.one(findUsedChallenge, challenge.parameters.data.id))) !== undefined,
    async use(tx, { challenge }) {
      const { id, expires } = challenge.parameters.data;
      return (await tx.one(useChallenge, id, expires)) !== undefined;
    },
    sweep: () => store.transact((tx) => tx.run(deleteExpiredChallenges, clock.now())),
  };
}
