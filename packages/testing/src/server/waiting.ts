// Waits, in real time, for something that a running server does.
import { systemPorts } from '@sealpost/server/workbench';

/** Milliseconds between two calls of `look`. */
const LOOK_MS = 20;

/**
 * Calls `look` until it finds something or the time is over. Returns the findings; an empty list if the time is over.
 * @param ms real milliseconds; with 0, `look` is called once
 */
export async function untilFound<T>(look: () => Promise<T[]>, ms: number): Promise<T[]> {
  const { clock, timers } = systemPorts;
  const end = clock.monotonic() + ms;
  for (;;) {
    const found = await look();
    if (found.length > 0 || clock.monotonic() >= end) return found;
    await new Promise<void>((resolve) => void timers.after(LOOK_MS, resolve));
  }
}
