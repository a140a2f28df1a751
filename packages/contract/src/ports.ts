// The ports that server and clients share: time, timers and randomness. Tests pass their own ports, so that one virtual
// clock drives a server and its clients.

export interface Clock {
  /** Returns the time in epoch milliseconds. The time may jump when somebody sets the machine's clock. */
  now(): number;
  /**
   * Returns the milliseconds since an arbitrary start. The value never decreases, so it is used for durations and
   * expiry inside the process.
   */
  monotonic(): number;
}

export interface Random {
  /** Returns bytes that nobody can predict. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export interface Timer {
  cancel(): void;
}

export interface TimerOptions {
  /**
   * True if the process may end before the timer fires. A server ignores this, because its socket keeps the process
   * running.
   */
  readonly background?: boolean;
  /**
   * Returns true if a repeated timer may fire less often when virtual time moves far. Used for work that only cleans
   * up, or that has nothing to do at the moment.
   */
  readonly coarse?: () => boolean;
}

export interface Timers {
  after(ms: number, run: () => void, options?: TimerOptions): Timer;
  every(ms: number, run: () => void, options?: TimerOptions): Timer;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
}

/** Returns a whole number from 0 to 2^32 - 1, each as likely as any other. */
function drawUint32(random: Random): number {
  const bytes = random.bytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

/** Returns a whole number from 0 to `below` - 1, each as likely as any other. */
export function drawBelow(random: Random, below: number): number {
  // Numbers at or above the largest multiple of `below` are drawn again, because they would make small results more
  // likely.
  const fair = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const drawn = drawUint32(random);
    if (drawn < fair) return drawn % below;
  }
}

/** Returns a random number, at least 0 and below 1. */
export const drawFraction = (random: Random): number => drawUint32(random) / 2 ** 32;

/** Returns a random UUID of version 4. */
export function drawUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
