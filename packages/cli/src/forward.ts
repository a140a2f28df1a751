// Forwards operations to a program of the user's own: one POST for each operation, in order, until the program has
// accepted it.
import { type OpenedOperation, systemPorts } from '@sealpost/sdk';
import type { Output } from './output.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Milliseconds that the program may take for its answer. */
const PATIENCE_MS = 30_000;

/**
 * Sends an operation as JSON. Resolves when the program has answered with a status from 200 to 299, or when the signal
 * aborts. After a failure, the operation is sent again after a pause that grows each time.
 * @returns whether the program accepted the operation
 */
export async function forward(
  url: string,
  operation: OpenedOperation,
  { signal, output }: { readonly signal: AbortSignal; readonly output: Output },
): Promise<boolean> {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const failure = await tried(url, operation, signal);
    if (failure === undefined) return true;
    if (signal.aborted) return false;
    output.note(`${url} did not take revision ${operation.revision} (${failure}). Trying again in ${wait / 1000} s.`);
    await waited(wait, signal);
  }
  return false;
}

/** Sends the operation once. Returns why it failed; undefined if the program accepted it. */
async function tried(url: string, operation: OpenedOperation, signal: AbortSignal): Promise<string | undefined> {
  const late = new AbortController();
  const timer = systemPorts.timers.after(PATIENCE_MS, () =>
    late.abort(new Error(`no answer within ${PATIENCE_MS / 1000} s`)),
  );
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(operation),
      // A redirect does not count as a delivery, because the request that follows it may have no body.
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    });
    return ok ? undefined : `HTTP ${status}`;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    const { message, cause } = error;
    return cause instanceof Error && cause.message !== '' ? cause.message : message;
  } finally {
    timer.cancel();
  }
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = systemPorts.timers.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
