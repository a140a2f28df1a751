import type { Caller } from './call.ts';

/** A session that is logged in, and the access token with which it calls. */
export interface LiveSession {
  readonly token: string;
  readonly caller: Caller;
  readonly expiresTime: number;
  /** Keys for the signatures of this token, filled by the pipeline. */
  readonly keys: Map<string, unknown>;
}

/** The functions of the sessions slice that the pipeline needs. */
export interface SessionLookup {
  /** Returns a session in memory that has not expired; undefined means that the caller must use `load`. */
  cached(token: string): LiveSession | undefined;
  /**
   * Returns the session of a token from the store.
   * @throws REQUEST_NEED_LOGIN, SESSION_LOGGED_OUT or MUST_REFRESH_V3_TOKEN
   */
  load(token: string): Promise<LiveSession>;
}
