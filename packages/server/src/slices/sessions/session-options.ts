/** Lifetimes of sessions and tokens in milliseconds, and the number of sessions in memory. */
export interface SessionOptions {
  /** Life of an access token in milliseconds. */
  readonly accessTokenMs: number;
  /** Age in milliseconds at which clients should refresh an access token. */
  readonly refreshDueMs: number;
  /** Milliseconds that a replaced access token stays valid, for calls that are still running. */
  readonly graceMs: number;
  /**
   * Milliseconds during which a used refresh token returns the same successor again, for clients that lost the answer.
   */
  readonly replayMs: number;
  /** Life in milliseconds of a session that is never refreshed. */
  readonly idleMs: number;
  /**
   * Milliseconds that a session in memory is used without reading the store. The time is limited, because another
   * server may end the session.
   */
  readonly believeMs: number;
  readonly maxCached: number;
  /** Life of an object-storage token in milliseconds. */
  readonly objectTokenMs: number;
}
