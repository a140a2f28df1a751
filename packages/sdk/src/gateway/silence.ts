// Ends the reading of a body when no further part of the body arrives for too long.
import type { ClientPorts } from './ports.ts';

/**
 * Rejects if `read` delivers nothing within `silenceMs`. The timer runs only during a read, so a slow consumer does not
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

/** Maximum milliseconds between two parts of the body of an answer. */
const BODY_SILENCE_MS = 30_000;

/**
 * Reads the whole body as text.
 * @throws Error if the connection breaks, or no further part of the body arrives for too long
 */
export async function textOf(response: Response, ports: Pick<ClientPorts, 'timers'>): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return '';
  let text = '';
  try {
    for (;;) {
      const { value, done } = await withinSilence(ports, BODY_SILENCE_MS, 'no more of the answer', reader.read());
      if (done) return text;
      text += value;
    }
  } catch (error) {
    // Nothing more will be read, so the connection is closed.
    reader.cancel().catch(() => {});
    throw error;
  }
}
