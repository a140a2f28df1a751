import type { Caller } from './call.ts';

/** A session that is logged in, and the access token with which it calls. */
export interface LiveSession {
  readonly token: string;
  readonly caller: Caller;
  readonly expiresTime: number;
  /** Prepared keys for the signatures of this token. The pipeline fills the map. */
  readonly keys: Map<string, unknown>;
}

/** The functions of the sessions slice that the pipeline needs. */
export interface SessionLookup {
  /** Returns the session of a token if it is in memory and has not expired. Otherwise, the caller must use `load`. */
  cached(token: string): LiveSession | undefined;
  /**
   * Returns the session of a token from the store.
   * @throws REQUEST_NEED_LOGIN if the token is invalid; SESSION_LOGGED_OUT if its session has ended or its account is
   * disabled; MUST_REFRESH_V3_TOKEN if the token has expired
   */
  load(token: string): Promise<LiveSession>;
}
