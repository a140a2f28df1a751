// What server and clients take from their surroundings: time, timers and chance. Tests own these, so that one virtual
// clock drives a server and its clients.

export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since some start; never goes back. For durations and expiry inside the process. */
  monotonic(): number;
}

export interface Random {
  /** Bytes that nobody can foretell. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export interface Timer {
  cancel(): void;
}

export interface TimerOptions {
  /** The timer must not keep a process alive. A server has only such timers: its socket keeps it alive. */
  readonly background?: boolean;
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

/** A whole number from 0 to 2^32 - 1, each as likely as any other. */
function drawUint32(random: Random): number {
  const bytes = random.bytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

/** A whole number from 0 up to, not including, `below`, each as likely as any other. */
export function drawBelow(random: Random, below: number): number {
  // Draws above the largest multiple would make small numbers likelier.
  const fair = Math.floor(2 ** 32 / below) * below;
  for (;;) {
    const drawn = drawUint32(random);
    if (drawn < fair) return drawn % below;
  }
}

/** A number in [0, 1). */
export const drawFraction = (random: Random): number => drawUint32(random) / 2 ** 32;

/** A UUID of version 4. */
export function drawUuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
