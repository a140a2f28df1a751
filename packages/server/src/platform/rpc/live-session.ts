import type { Caller } from './call.ts';

/** Who calls with a token. */
export interface LiveSession {
  readonly token: string;
  readonly caller: Caller;
  readonly expiresTime: number;
  /** Signature keys of the token, kept by the pipeline. */
  readonly keys: Map<string, unknown>;
}

/** What the pipeline asks of the sessions slice. */
export interface SessionLookup {
  /** A session that is known and not expired, or undefined: then `load` says what it is. */
  cached(token: string): LiveSession | undefined;
  /** @throws REQUEST_NEED_LOGIN, SESSION_LOGGED_OUT or MUST_REFRESH_V3_TOKEN */
  load(token: string): Promise<LiveSession>;
}
