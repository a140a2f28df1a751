// Makes passwords and login keys cheap for servers in separate processes, as quick-crypto.ts does for servers inside
// tests. Node loads this module before the server's modules, in each thread. It changes only the threads that do slow
// cryptography.
import crypto, { type KeyPairKeyObjectResult } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { CHEAP, PAIRS } from './quick-crypto-costs.ts';

if (!isMainThread) {
  const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2');
  const { hashSync } = argon2;
  argon2.hashSync = (password, options) => hashSync(password, { ...options, ...CHEAP });

  const makePair: (type: 'rsa', options: { modulusLength: number }) => KeyPairKeyObjectResult =
    crypto.generateKeyPairSync;
  const pairs: KeyPairKeyObjectResult[] = [];
  let taken = 0;
  Reflect.set(crypto, 'generateKeyPairSync', (type: 'rsa', options: { modulusLength: number }) => {
    const turn = taken++ % PAIRS;
    pairs[turn] ??= makePair(type, options);
    return pairs[turn];
  });
  syncBuiltinESMExports();
}
