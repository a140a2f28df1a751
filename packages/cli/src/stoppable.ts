/**
 * Runs work that Ctrl-C and SIGTERM stop through an abort signal. Each of them is handled only once, so a second Ctrl-C
 * ends the program at once.
 */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, onSignal);
  }
}
