// Keeps the process alive while a server stops. The server's own timers do not, and its socket is closed by then.

/** Milliseconds between two firings of the timer that keeps the process alive. The number does not matter. */
const STAY_MS = 60_000;

/** Waits for a promise. The process does not end before the promise has settled. */
export async function keptAlive<T>(promise: Promise<T>): Promise<T> {
  const stay = setInterval(() => {}, STAY_MS);
  try {
    return await promise;
  } finally {
    clearInterval(stay);
  }
}
