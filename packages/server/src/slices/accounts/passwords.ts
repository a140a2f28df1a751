// Password hashing: argon2id behind a bounded queue, in threads that give way to messages.

import { ApiError } from '@sealpost/contract';
import { SLOW_THREADS, slowly } from '../../platform/kernel/slow-crypto.ts';

/** argon2id is the library's default algorithm. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** What a password of an unknown user is checked against, so that the answer takes the same time. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$NV8gVoY8dEx4eam4EajPAg$Lp0mQmiFRzvZ0udUmSXC2JN1tmAz9bnZ3pTDoimuUCc';

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Takes the same time whether `stored` is there or not. `admit` runs when a worker is free, right before the check;
   * what it throws refuses the check.
   */
  verify(stored: string | undefined, password: string, admit?: () => Promise<void>): Promise<boolean>;
}

/**
 * @param width checks at the same time
 * @param waiting calls that may wait for a free worker; one more gets SERVER_BUSY
 */
export function createPasswords({ width = SLOW_THREADS, waiting = 256 } = {}): Passwords {
  let running = 0;
  const queue: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= width) {
      if (queue.length >= waiting) throw new ApiError('SERVER_BUSY', 'too many password checks are waiting');
      // The one that ends hands its place over, so `running` stays.
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
    hash: (password) => inTurn(() => slowly('hashPassword', password, PARAMETERS)),
    verify: (stored, password, admit) =>
      inTurn(async () => {
        await admit?.();
        const matches = await slowly('verifyPassword', stored ?? DECOY, password);
        return matches && stored !== undefined;
      }),
  };
}
