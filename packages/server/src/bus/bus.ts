// Wake-ups between servers that share a database: "account X has something new", and never what.

export interface Bus {
  readonly kind: 'local' | 'nats';
  readonly location: string;
  /** Tells the other servers; lost wake-ups are found by their polls. */
  wake(accountIds: readonly number[]): void;
  /** Called for wake-ups of other servers. */
  onWake(listener: (accountId: number) => void): void;
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
