/** The error for a missing safety number: one of the two users has no key to compare. */
export class SafetyNumberError extends Error {
  override readonly name = 'SafetyNumberError';
}
