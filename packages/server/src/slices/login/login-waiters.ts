// Long polls of logins. A change of a login by this server wakes its polls at once. A check every second finds changes
// by other servers, and expired logins.
import { limits } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';

const LOOK_MS = 1_000;

interface Waiter {
  over: boolean;
  wake(): void;
}

export interface LoginWaiters {
  wake(loginId: string): void;
  /**
   * Calls `look` after each change of the login until `look` returns a value. Returns undefined after `windowMs`, after
   * a disconnect, or if the login has too many newer polls.
   */
  until<T>(
    loginId: string,
    windowMs: number,
    signal: AbortSignal,
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** Ends all polls now. The clients then poll again, at another server if this one stops. */
  endAll(): void;
}

export function createLoginWaiters(timers: Timers): LoginWaiters {
  const waiting = new Map<string, Waiter[]>();

  function enter(loginId: string, waiter: Waiter): void {
    const others = waiting.get(loginId) ?? [];
    if (others.length >= limits.pollsPerLogin.value) end(others[0] as Waiter);
    waiting.set(loginId, [...others, waiter].slice(-limits.pollsPerLogin.value));
  }

  function leave(loginId: string, waiter: Waiter): void {
    const others = (waiting.get(loginId) ?? []).filter((other) => other !== waiter);
    if (others.length > 0) waiting.set(loginId, others);
    else waiting.delete(loginId);
  }

  return {
    wake(loginId) {
      for (const waiter of waiting.get(loginId) ?? []) waiter.wake();
    },
    async until(loginId, windowMs, signal, look) {
      let news = false;
      let resume: (() => void) | undefined;
      const waiter: Waiter = {
        over: signal.aborted,
        wake() {
          news = true;
          resume?.();
        },
      };
      const stop = () => end(waiter);
      const deadline = timers.after(windowMs, stop);
      const tick = timers.every(LOOK_MS, waiter.wake);
      signal.addEventListener('abort', stop, { once: true });
      enter(loginId, waiter);
      try {
        for (;;) {
          news = false;
          const found = await look();
          if (found !== undefined || waiter.over) return found;
          if (!news) {
            await new Promise<void>((resolve) => {
              resume = resolve;
            });
          }
        }
      } finally {
        leave(loginId, waiter);
        deadline.cancel();
        tick.cancel();
        signal.removeEventListener('abort', stop);
      }
    },
    endAll() {
      for (const waiter of [...waiting.values()].flat()) end(waiter);
    },
  };
}

function end(waiter: Waiter): void {
  waiter.over = true;
  waiter.wake();
}
