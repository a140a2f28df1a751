// A watchdog for bodies that arrive bit by bit.
import type { ClientPorts } from './ports.ts';

/** Runs only while we wait, so that a slow consumer is not taken for a silent server. */
export async function withinSilence<T>(
  ports: Pick<ClientPorts, 'timers'>,
  silenceMs: number,
  what: string,
  read: Promise<T>,
): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = ports.timers.after(silenceMs, () => reject(new Error(`${what} for ${silenceMs / 1000} s`)));
  try {
    return await Promise.race([read, silence]);
  } finally {
    timer.cancel();
    read.catch(() => {});
  }
}
