// Decides when the account's own keys are checked: on demand, and now and then while the client is in use.
import type { Clock } from '@sealpost/contract/ports';
import { silently } from './trust-events.ts';

export interface OwnKeyChecks {
  /** Checks after the running check has ended, so that no key is reported twice. */
  check(): Promise<void>;
  /** Checks if somebody is logged in and the last check began more than six hours ago. */
  nowAndThen(): void;
  /** Checks even if the last check was a short time ago. Errors of the check are dropped. */
  soon(): void;
}

interface OwnKeyChecksDeps {
  readonly clock: Clock;
  readonly loggedIn: () => boolean;
  readonly checkOnce: () => Promise<void>;
}

/** Milliseconds between two checks of the account's own keys while a client reads its operations. */
const CHECK_EVERY_MS = 6 * 3_600_000;

export function createOwnKeyChecks({ clock, loggedIn, checkOnce }: OwnKeyChecksDeps): OwnKeyChecks {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let lastCheck: Promise<void> = Promise.resolve();

  function check(): Promise<void> {
    const next = lastCheck.then(checkOnce);
    lastCheck = next.catch(() => {});
    return next;
  }

  function nowAndThen(): void {
    if (!loggedIn() || clock.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = clock.now();
    // If this check fails, the next call of this function checks again.
    silently(check).catch(() => {
      checkedAt = Number.NEGATIVE_INFINITY;
    });
  }

  return {
    check,
    nowAndThen,
    soon() {
      checkedAt = Number.NEGATIVE_INFINITY;
      nowAndThen();
    },
  };
}
