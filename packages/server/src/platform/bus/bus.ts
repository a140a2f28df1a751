// Wake-ups between servers that share a database: "account X has something new", and never what.

/** `log`: operations were appended; `sessions`: a session of the account ended. */
export type WakeKind = 'log' | 'sessions';

export interface Bus {
  readonly kind: 'local' | 'nats';
  readonly location: string;
  /** Tells the other servers; lost wake-ups are found by their polls. */
  wake(kind: WakeKind, accountIds: readonly number[]): void;
  /** Called for wake-ups of other servers. */
  onWake(listener: (kind: WakeKind, accountId: number) => void): void;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** One server alone has nobody to tell. */
export const localBus: Bus = {
  kind: 'local',
  location: 'none',
  wake: () => {},
  onWake: () => {},
  check: async () => {},
  close: async () => {},
};
