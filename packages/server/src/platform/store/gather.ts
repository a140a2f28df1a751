// Waits for the callers that share a commit. The wait is counted in rounds of the event loop instead of milliseconds, so
// a caller that is alone hardly waits.

/** Maximum number of rounds of the event loop. */
const MOST_ROUNDS = 64;

/**
 * Returns a function that calls `start` after some rounds of the event loop in a row without a new caller. While it
 * waits, further calls of the function change nothing.
 * @param arrived returns the number of callers so far
 * @param quietRounds number of rounds in a row without a new caller
 */
export function createGather(arrived: () => number, quietRounds: number, start: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    let seen = arrived();
    let quiet = 0;
    let rounds = 0;
    const look = (): void => {
      const now = arrived();
      quiet = now > seen ? 0 : quiet + 1;
      seen = now;
      rounds += 1;
      if (quiet < quietRounds && rounds < MOST_ROUNDS) return void setImmediate(look);
      waiting = false;
      start();
    };
    setImmediate(look);
  };
}
