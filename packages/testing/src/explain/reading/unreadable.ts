/** The error for a file that has no calls in a known form. */
export class UnreadableCalls extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableCalls';
  }
}
