// Password hashes and login keys of test servers: fast to compute, and always the same for the same seed.
import type { Random } from '@sealpost/contract/ports';
import { type ServerPorts, systemPorts } from '@sealpost/server/workbench';
import { seededRsaPair } from './rsa-pair.ts';
import { seededRandom } from './seeded-random.ts';

type SlowCrypto = ServerPorts['slowCrypto'];
type RsaPair = Awaited<ReturnType<SlowCrypto['makeRsaPair']>>;

/** The lowest parameters of argon2id that the library accepts. The memory cost is in KiB. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const SALT_BYTES = 16;
/** Number of RSA pairs per seed and size. They are used in turn, because making a pair takes longer than most tests. */
const PAIRS = 2;
/**
 * The pairs made so far, for all seeds. A pair depends only on its name, so the servers of this process can share it.
 */
const pairs = new Map<string, RsaPair>();

/**
 * Creates the slow cryptography of a test server. It hashes passwords with the lowest parameters, and draws salts from
 * `random`.
 * @param seed the seed of the RSA pairs; without it, they are drawn from `random` too
 */
export function seededCrypto(random: Random, seed?: number | string): SlowCrypto {
  let taken = 0;
  return {
    ...systemPorts.slowCrypto,
    hashPassword: (password, options) =>
      systemPorts.slowCrypto.hashPassword(password, { ...options, ...CHEAP, salt: random.bytes(SALT_BYTES) }),
    async makeRsaPair(bits) {
      if (seed === undefined) return seededRsaPair(random, bits);
      const name = `${seed} pair ${taken++ % PAIRS} of ${bits}`;
      const pair = pairs.get(name) ?? seededRsaPair(seededRandom(name), bits);
      pairs.set(name, pair);
      return pair;
    },
  };
}
