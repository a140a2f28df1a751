// Makes passwords and login keys cheap for servers inside tests. The hashes and the RSA pairs are real.
import { type ServerPorts, systemPorts } from '@sealpost/server/internal';
import { CHEAP, PAIRS } from './quick-crypto-costs.ts';

type SlowCrypto = ServerPorts['slowCrypto'];

const { slowCrypto } = systemPorts;
const pairs: ReturnType<SlowCrypto['makeRsaPair']>[] = [];
let taken = 0;

/** Hashes passwords with the lowest parameters, and returns a few RSA pairs in turn instead of generating new ones. */
export const quickCrypto: SlowCrypto = {
  ...slowCrypto,
  hashPassword: (password, options) => slowCrypto.hashPassword(password, { ...options, ...CHEAP }),
  makeRsaPair: (bits) => {
    const turn = taken++ % PAIRS;
    pairs[turn] ??= slowCrypto.makeRsaPair(bits);
    return pairs[turn];
  },
};
