// Ends the reading of a body when no further part of the body arrives for too long.
import type { ClientPorts } from './ports.ts';

/**
 * Rejects if `read` brings nothing within `silenceMs`. The timer runs only during a read, so a slow consumer does not
 * look like a silent server.
 */
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
