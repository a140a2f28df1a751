// The events that `Trust` reports to its listeners. They are alarms, changed keys, keys of this account that this device
// does not have, and an accepted key log.
import { Listeners } from '../listeners.ts';
import { KeyTrustError } from './key-trust-error.ts';
import type { KeyChange } from './known-keys.ts';
import type { KnownKey } from './trust-memory.ts';

export type TrustEvent =
  /** A key or the log must not be trusted; the error says what to do. */
  | { readonly kind: 'alarm'; readonly error: KeyTrustError }
  /**
   * A user has a new key: either a new device without the old keys, or an attacker in the user's place. Tell the user.
   */
  | ({ readonly kind: 'key-changed' } & KeyChange)
  /** The log has a key of this account that this device does not have. Tell the user. */
  | { readonly kind: 'own-key-unknown'; readonly key: KnownKey }
  /** This device accepted the key log that the server has now. */
  | { readonly kind: 'log-accepted' };

export interface TrustEvents {
  emit(event: TrustEvent): void;
  /** Emits an event for each changed key. */
  tell(changes: readonly KeyChange[]): void;
  /** Runs the work. If the work throws a KeyTrustError, tells the listeners and throws the error again. */
  alarmed<T>(work: () => Promise<T>): Promise<T>;
  /** Adds a listener, and returns the function that removes it. */
  listen(listener: (event: TrustEvent) => void): () => void;
}

/** @param failed gets the errors of listeners */
export function createTrustEvents(failed: (error: unknown) => void): TrustEvents {
  const listeners = new Listeners<TrustEvent>(failed);
  const emit = (event: TrustEvent): void => listeners.tell(event);
  return {
    emit,
    tell(changes) {
      for (const change of changes) emit({ kind: 'key-changed', ...change });
    },
    async alarmed(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof KeyTrustError) emit({ kind: 'alarm', error });
        throw error;
      }
    },
    listen: (listener) => listeners.add(listener),
  };
}

/**
 * Runs the work. If it throws a KeyTrustError, drops the error, because the listeners have already got it. Throws any
 * other error.
 */
export async function silently(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof KeyTrustError)) throw error;
  }
}
