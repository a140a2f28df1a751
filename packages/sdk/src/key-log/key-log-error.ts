/** The error for a log that does not match what the server signed, or what an earlier audit saw. */
export class KeyLogError extends Error {
  override readonly name = 'KeyLogError';
}
