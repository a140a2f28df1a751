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
 * Yields the parts of the body, as text, when they arrive. Then closes the connection.
 * @param silenceMs maximum milliseconds until the next part arrives
 * @param what the part that is missing, for the error
 * @throws Error if the connection breaks, or no further part arrives for too long
 */
export async function* textParts(
  response: Response,
  ports: Pick<ClientPorts, 'timers'>,
  silenceMs: number,
  what: string,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { value, done } = await withinSilence(ports, silenceMs, what, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Reads the whole body as text.
 * @throws Error if the connection breaks, or no further part of the body arrives for too long
 */
export async function textOf(response: Response, ports: Pick<ClientPorts, 'timers'>): Promise<string> {
  let text = '';
  for await (const part of textParts(response, ports, BODY_SILENCE_MS, 'no more of the answer')) text += part;
  return text;
}
