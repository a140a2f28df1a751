// Hashes and checks passwords with argon2id, in threads of low priority. Calls wait for a free thread in a bounded
// queue.

import { ApiError } from '@sealpost/contract';
import type { SlowCrypto } from '../../platform/kernel/ports.ts';
import { SLOW_THREADS } from '../../platform/kernel/slow-crypto.ts';

/** Parameters of argon2id, which is the library's default algorithm. The memory cost is in KiB. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Hash against which passwords of unknown users are checked, so that the answer takes as long as for known users. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$NV8gVoY8dEx4eam4EajPAg$Lp0mQmiFRzvZ0udUmSXC2JN1tmAz9bnZ3pTDoimuUCc';

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password matches the hash `stored`. If `stored` is undefined, the check takes equally long and
   * returns false. `admit` runs right before the check, once a thread is free. If `admit` throws, the password is not
   * checked.
   */
  verify(stored: string | undefined, password: string, admit?: () => Promise<void>): Promise<boolean>;
}

/**
 * Creates the queue for hashes and checks.
 * @param width maximum number of hashes and checks that run at the same time
 * @param waiting maximum number of calls that wait for a free thread; a further call gets SERVER_BUSY
 */
export function createPasswords(slowCrypto: SlowCrypto, { width = SLOW_THREADS, waiting = 256 } = {}): Passwords {
  let running = 0;
  const queue: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= width) {
      if (queue.length >= waiting) throw new ApiError('SERVER_BUSY', 'too many password checks are waiting');
      // A call that finishes resolves this promise. This call then takes its place, so `running` stays the same.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => slowCrypto.hashPassword(password, PARAMETERS)),
    verify: (stored, password, admit) =>
      inTurn(async () => {
        await admit?.();
        const matches = await slowCrypto.verifyPassword(stored ?? DECOY, password);
        return matches && stored !== undefined;
      }),
  };
}
