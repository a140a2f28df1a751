// Passwords and login keys at a low cost, for servers inside of tests. The pairs are real, and so are the hashes.
import { type ServerPorts, systemPorts } from '@sealpost/server/internal';
import { CHEAP, PAIRS } from './quick-crypto-costs.ts';

type SlowCrypto = ServerPorts['slowCrypto'];

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
