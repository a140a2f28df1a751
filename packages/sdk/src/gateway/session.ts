// A login session. It renews its tokens before they expire, and after an answer that asks for it. The specification has
// the rules below "Authentication", from "Renewal schedule" to "Refresh errors".
import type { TokenV3IssueResult } from '@sealpost/contract';
import type { Timer } from '@sealpost/contract/ports';
import { Listeners } from '../listeners.ts';
import { GatewayError, isPassing, NetworkError } from './errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from './ports.ts';

/** Everything that a later run needs to continue the same login. It is plain JSON, and as secret as a password. */
export interface Session {
  readonly mid: string;
  readonly certificate?: string;
  readonly tokens: TokenV3IssueResult;
}

/**
 * Keeps a session between runs. If several processes share one session, `load` returns the session that any of them
 * saved last.
 */
export interface SessionStorage {
  load(): Session | undefined | Promise<Session | undefined>;
  save(session: Session | undefined): void | Promise<void>;
  /**
   * Runs a change of the stored session while no other process changes it, and returns its result. Only a storage that
   * several processes share needs it: the server ends a session whose refresh token two of them use.
   */
  alone?<T>(change: () => Promise<T>): Promise<T>;
}

export type SessionEvent =
  | { readonly kind: 'renewed'; readonly scheduled: boolean }
  | { readonly kind: 'ended'; readonly reason: GatewayError | undefined };

/** Exchanges a refresh token for new tokens; fields that the result lacks keep their value. */
type RefreshCall = (tokens: TokenV3IssueResult) => Promise<Partial<TokenV3IssueResult>>;

/** Maximum number of repeated refreshes if the server answers with an error that allows a repetition. */
const GIVE_UP_AFTER = 10;
/**
 * Maximum number of repeated refreshes without an answer. The server may have renewed the tokens although the answer
 * was lost, see `#renewNow`.
 */
const LOST_TRIES = 3;

/** Keeps the tokens of the session. At most one refresh runs at a time, and all calls wait for it. */
export class SessionKeeper {
  #session: Session | undefined;
  #renewal: Promise<void> | undefined;
  #schedule: Timer | undefined;
  /** Number of scheduled renewals that failed since the last successful one. */
  #failures = 0;
  #closed = new AbortController();
  readonly #listeners: Listeners<SessionEvent>;
  readonly #refresh: RefreshCall;
  readonly #storage: SessionStorage | undefined;
  readonly #ports: ClientPorts;

  constructor(refresh: RefreshCall, ports: ClientPorts, storage?: SessionStorage) {
    this.#refresh = refresh;
    this.#ports = ports;
    this.#listeners = new Listeners(ports.onListenerError);
    this.#storage = storage;
  }

  get current(): Session | undefined {
    return this.#session;
  }

  /** Starts to use a session, from a login or from an earlier run. */
  async begin(session: Session, options: { save: boolean }): Promise<void> {
    this.#use(session);
    if (options.save) await this.#alone(async () => this.#storage?.save(session));
  }

  /**
   * Deletes the session and tells the listeners. Keeps a stored login that another process wrote. After a logout, tokens
   * that another process renewed are deleted too, because their session is over.
   */
  async end(reason?: GatewayError): Promise<void> {
    const ended = this.#session;
    if (!ended) return;
    this.#session = undefined;
    this.#schedule?.cancel();
    this.#listeners.tell({ kind: 'ended', reason });
    await this.#alone(async () => {
      const stored = await this.#storage?.load();
      const field = reason ? 'accessToken' : 'loginSessionId';
      if (stored && stored.tokens[field] !== ended.tokens[field]) return;
      // Meanwhile, a login may have begun another session, which it stores itself.
      if (!this.#session) await this.#storage?.save(undefined);
    });
  }

  /** Ends the session after a refusal, unless the refused request was signed with the token of an earlier session. */
  async refused(reason: GatewayError, accessToken: string | undefined): Promise<void> {
    if (this.#session?.tokens.accessToken === accessToken) await this.end(reason);
  }

  listen(listener: (event: SessionEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Returns the tokens for a call. Waits for a refresh that is running. If that refresh fails, returns the old tokens. */
  async tokens(): Promise<TokenV3IssueResult | undefined> {
    await this.#renewal?.catch(() => {});
    return this.#session?.tokens;
  }

  /**
   * Renews the tokens. Does nothing if `refused` is no longer the access token, because another call has then already
   * renewed the tokens.
   */
  async renew(refused: string | undefined, scheduled = false): Promise<void> {
    if (this.#renewal) return this.#renewal;
    const session = this.#session;
    if (!session || session.tokens.accessToken !== refused) return;
    this.#renewal = this.#renewNow(session, scheduled).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  close(): void {
    this.#closed.abort();
    this.#schedule?.cancel();
    this.#listeners.clear();
  }

  #use(session: Session): void {
    this.#session = session;
    this.#failures = 0;
    this.#scheduleRenewal();
  }

  #alone<T>(change: () => Promise<T>): Promise<T> {
    return this.#storage?.alone?.(change) ?? change();
  }

  /** Renews the tokens once. Another process may have renewed them already, even since the last attempt. */
  async #renewOnce(session: Session, scheduled: boolean): Promise<void> {
    const stored = await this.#storage?.load();
    let next = stored?.mid === session.mid && isNewer(stored.tokens, session.tokens) ? stored : session;
    const save = next === session || dueOf(next.tokens) <= this.#ports.clock.now();
    if (save) next = { ...next, tokens: { ...next.tokens, ...(await this.#refresh(next.tokens)) } };
    // The session may have ended meanwhile, and another one begun.
    if (this.#session !== session) return;
    this.#use(next);
    // A login that another process stored stays there.
    if (save && (!stored || stored.tokens.loginSessionId === next.tokens.loginSessionId)) {
      await this.#storage?.save(next);
    }
    this.#listeners.tell({ kind: 'renewed', scheduled });
  }

  async #renewNow(session: Session, scheduled: boolean): Promise<void> {
    const { tokens } = session;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#alone(() => this.#renewOnce(session, scheduled));
      } catch (error) {
        if (error instanceof GatewayError && error.endsSession) await this.refused(error, tokens.accessToken);
        const tries = error instanceof NetworkError ? LOST_TRIES : isPassing(error) ? GIVE_UP_AFTER : 0;
        const pauseAfter = (failures: number) => backoffDelay(retryPolicyOf(tokens), failures, this.#ports.random);
        if (attempt >= tries || this.#closed.signal.aborted) {
          // Renews later, even if nobody makes a call. The first pauses are short, because the server repeats a lost
          // answer only for a short time. After that time, it regards the used refresh token as stolen.
          if (isPassing(error)) this.#scheduleRenewal(pauseAfter(this.#failures++));
          throw error;
        }
        await pause(this.#ports.timers, pauseAfter(attempt), this.#closed.signal);
      }
    }
  }

  /**
   * Sets the timer for the next renewal, at tokenIssueTimeEpochSec + durationUntilRefreshInSec unless `afterMs` is
   * given.
   */
  #scheduleRenewal(afterMs?: number): void {
    this.#schedule?.cancel();
    const session = this.#session;
    if (!session || this.#closed.signal.aborted) return;
    const { tokens } = session;
    const due = dueOf(tokens);
    const wait = afterMs ?? Math.max(0, due - this.#ports.clock.now());
    this.#schedule = this.#ports.timers.after(
      wait,
      () => {
        // A token may live longer than the longest possible timer. In that case, the timer fires early and is set
        // again.
        if (afterMs === undefined && this.#ports.clock.now() < due) return this.#scheduleRenewal();
        // The error needs no handling here. Either another renewal is scheduled, or the session has ended and its
        // listeners were notified.
        this.renew(tokens.accessToken, true).catch(() => {});
      },
      { background: true },
    );
  }
}

/** Returns when tokens should be renewed, in epoch milliseconds. */
const dueOf = (tokens: TokenV3IssueResult): number =>
  (Number(tokens.tokenIssueTimeEpochSec) + Number(tokens.durationUntilRefreshInSec)) * 1000;

const isNewer = (a: TokenV3IssueResult, b: TokenV3IssueResult): boolean =>
  a.accessToken !== b.accessToken && Number(a.tokenIssueTimeEpochSec) >= Number(b.tokenIssueTimeEpochSec);

const retryPolicyOf = ({ refreshApiRetryPolicy: policy }: TokenV3IssueResult): Backoff => ({
  initialMs: Number(policy.initialDelayInMillis),
  maxMs: Number(policy.maxDelayInMillis),
  multiplier: policy.multiplier,
  jitter: policy.jitterRate,
});
