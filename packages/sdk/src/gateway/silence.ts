// A watchdog for bodies that arrive bit by bit.
import type { Ports } from './ports.ts';

/** Runs only while we wait, so that a slow consumer is not taken for a silent server. */
export async function withinSilence<T>(
  ports: Pick<Ports, 'timers'>,
  silenceMs: number,
  what: string,
  read: Promise<T>,
): Promise<T> {
  let cancel = () => {};
  const silence = new Promise<never>((_, reject) => {
    cancel = ports.timers.after(silenceMs, () => reject(new Error(`${what} for ${silenceMs / 1000} s`)));
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    cancel();
    read.catch(() => {});
  }
}
