/** When a request was sent first, in epoch milliseconds, and in which session. */
export interface FirstAttempt {
  readonly session: string;
  readonly time: number;
}

/** Milliseconds for which the server recognizes a repeated reqSeq (specification: Wire conventions, reqSeq). */
const REMEMBERED_MS = 24 * 3600_000;

/** Returns whether the server would recognize a repeated request, and carry it out only once. */
export function isRepeatable(first: FirstAttempt | undefined, now: FirstAttempt): boolean {
  // A negative age means that the clock was set back since, so the true age is not known.
  const age = now.time - (first?.time ?? 0);
  return first?.session === now.session && age >= 0 && age <= REMEMBERED_MS;
}
