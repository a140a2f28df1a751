/** Lives of sessions and tokens in milliseconds, and what a server keeps of them in memory. */
export interface SessionOptions {
  /** Life of an access token. */
  readonly accessTokenMs: number;
  /** After this a client should renew. */
  readonly refreshDueMs: number;
  /** How long a renewed access token goes on working, for calls under way. */
  readonly graceMs: number;
  /** How long a used refresh token answers the same again, for lost answers. */
  readonly replayMs: number;
  /** Life of a session that nobody renews. */
  readonly idleMs: number;
  /** How long a session is believed without a look into the store: other servers may end it. */
  readonly believeMs: number;
  readonly maxCached: number;
  /** Life of a token for object storage. */
  readonly objectTokenMs: number;
}
