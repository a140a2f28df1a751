// Passwords and login keys at a low cost, for servers inside of tests. The pairs are real, and so are the hashes.
import { type ServerPorts, systemPorts } from '@sealpost/server/internal';

type SlowCrypto = ServerPorts['slowCrypto'];

/** The lowest parameters that the library takes. The memory cost is in KiB. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/** The number of RSA pairs that a process generates. Generating one takes more time than most tests. */
const PAIRS = 2;

const { slowCrypto } = systemPorts;
const pairs: ReturnType<SlowCrypto['makeRsaPair']>[] = [];
let taken = 0;

/** Hashes passwords with the lowest parameters, and hands out the same RSA pairs again and again. */
export const quickCrypto: SlowCrypto = {
  ...slowCrypto,
  hashPassword: (password, options) => slowCrypto.hashPassword(password, { ...options, ...CHEAP }),
  makeRsaPair: (bits) => {
    const turn = taken++ % PAIRS;
    pairs[turn] ??= slowCrypto.makeRsaPair(bits);
    return pairs[turn];
  },
};
