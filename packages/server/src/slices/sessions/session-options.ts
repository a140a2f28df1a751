/** Lifetimes of sessions and tokens in milliseconds, and the number of sessions in memory. */
export interface SessionOptions {
  /** Life of an access token. */
  readonly accessTokenMs: number;
  /** Age of an access token at which clients should refresh it. */
  readonly refreshDueMs: number;
  /** Time that a replaced access token stays valid, for calls that are still running. */
  readonly graceMs: number;
  /** Time during which a used refresh token returns the same successor again, for clients that lost the answer. */
  readonly replayMs: number;
  /** Life of a session that is never refreshed. */
  readonly idleMs: number;
  /** Time that a session in memory is trusted without a look into the store, because another server may end it. */
  readonly believeMs: number;
  readonly maxCached: number;
  /** Life of an object-storage token. */
  readonly objectTokenMs: number;
}
