// Wake-ups between servers that share a database. A wake-up names an account that has something new, but does not say
// what is new.

/** `log`: operations were appended to the account's log. `sessions`: a session of the account ended. */
export type WakeKind = 'log' | 'sessions';

export interface Bus {
  readonly kind: 'local' | 'nats' | 'ipc';
  readonly location: string;
  /** Notifies the other servers. If a wake-up is lost, the polls of the other servers find the change. */
  wake(kind: WakeKind, accountIds: readonly number[]): void;
  /** Registers a listener for the wake-ups of other servers. */
  onWake(listener: (kind: WakeKind, accountId: number) => void): void;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The bus of a server that runs alone; it notifies nobody. */
export const localBus: Bus = {
  kind: 'local',
  location: 'none',
  wake: () => {},
  onWake: () => {},
  check: async () => {},
  close: async () => {},
};
