// What the server takes from its surroundings. Tests and simulations own these; only the adapters in this folder
// touch the ambient ones.

export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since some start; never goes back. For durations and expiry inside the process. */
  monotonic(): number;
}

export interface Random {
  bytes(length: number): Buffer;
}

export interface Timer {
  cancel(): void;
}

export interface Timers {
  after(ms: number, run: () => void): Timer;
  every(ms: number, run: () => void): Timer;
}

/**
 * A named point where a crash must lose nothing. Does nothing in production; a test makes it kill the process.
 */
export type CrashPoint = (name: CrashPointName) => void;

/** Those that a mutating call passes. */
export const callCrashPoints = [
  'request.validated',
  'transaction.before-begin',
  'transaction.written',
  'transaction.committed',
  'operations.published',
] as const;
/** Those that an upload passes, beside those of its transactions. */
export const uploadCrashPoints = ['upload.noted', 'upload.written', 'upload.published', 'upload.recorded'] as const;
export type CrashPointName = (typeof callCrashPoints | typeof uploadCrashPoints)[number];

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly crashPoint: CrashPoint;
}
