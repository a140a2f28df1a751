// A login session. It renews its tokens before they expire, and after an answer that asks for it. The specification has
// the rules below "Authentication", from "Renewal schedule" to "Refresh errors".
import type { TokenV3IssueResult } from '@sealpost/contract';
import type { Timer } from '@sealpost/contract/ports';
import { Listeners } from '../listeners.ts';
import { GatewayError, NetworkError } from './errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from './ports.ts';

/** Everything that a later run needs to continue the same login. It is plain JSON, and as secret as a password. */
export interface Session {
  readonly mid: string;
  readonly certificate?: string;
  readonly tokens: TokenV3IssueResult;
}

/**
 * Keeps a session between runs. If several processes share one session, `load` returns the tokens that any of them
 * renewed last.
 */
export interface SessionStorage {
  load(): Session | undefined | Promise<Session | undefined>;
  save(session: Session | undefined): void | Promise<void>;
}

export type SessionEvent =
  | { readonly kind: 'renewed'; readonly scheduled: boolean }
  | { readonly kind: 'ended'; readonly reason: GatewayError | undefined };

/** Exchanges a refresh token for new tokens; fields that the result lacks keep their value. */
export type RefreshCall = (tokens: TokenV3IssueResult) => Promise<Partial<TokenV3IssueResult>>;

/** Maximum number of repeated refreshes if the server answers with an error that allows a repetition. */
const GIVE_UP_AFTER = 10;
/**
 * Maximum number of repeated refreshes without an answer. The server may have renewed the tokens although the answer
 * was lost, see `#renewLater`.
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
    this.#session = session;
    this.#failures = 0;
    this.#scheduleRenewal();
    if (options.save) await this.#storage?.save(session);
  }

  /** Deletes the session and tells the listeners. */
  async end(reason?: GatewayError): Promise<void> {
    if (!this.#session) return;
    this.#session = undefined;
    this.#schedule?.cancel();
    this.#listeners.tell({ kind: 'ended', reason });
    await this.#storage?.save(undefined);
  }

  listen(listener: (event: SessionEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Returns the access token for a call. Waits for a refresh that is running. If that refresh fails, returns the old
   * token.
   */
  async accessToken(): Promise<string | undefined> {
    await this.#renewal?.catch(() => {});
    return this.#session?.tokens.accessToken;
  }

  /**
   * Renews the tokens. Does nothing if `refused` is no longer the access token, because another call has then already
   * renewed the tokens.
   */
  async renew(refused: string | undefined, scheduled = false): Promise<void> {
    if (this.#renewal) return this.#renewal;
    const session = this.#session;
    if (!session || session.tokens.accessToken !== refused) return;
    this.#renewal = this.#renewNow(session, scheduled);
    try {
      await this.#renewal;
    } catch (error) {
      this.#renewLater(error, session.tokens);
      throw error;
    } finally {
      this.#renewal = undefined;
    }
  }

  close(): void {
    this.#closed.abort();
    this.#schedule?.cancel();
    this.#listeners.clear();
  }

  async #renewNow(session: Session, scheduled: boolean): Promise<void> {
    const { tokens } = session;
    let next = await this.#storage?.load();
    const save = next?.mid !== session.mid || !isNewer(next.tokens, tokens);
    if (save) next = { ...session, tokens: { ...tokens, ...(await this.#refreshWithRetries(tokens)) } };
    // The session may have ended meanwhile, and another one begun.
    if (!next || this.#session !== session) return;
    await this.begin(next, { save });
    this.#listeners.tell({ kind: 'renewed', scheduled });
  }

  async #refreshWithRetries(tokens: TokenV3IssueResult): Promise<Partial<TokenV3IssueResult>> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#refresh(tokens);
      } catch (error) {
        const refusal = error instanceof GatewayError ? error : undefined;
        if (refusal?.endsSession && this.#session?.tokens === tokens) await this.end(refusal);
        const tries = error instanceof NetworkError ? LOST_TRIES : refusal?.retry ? GIVE_UP_AFTER : 0;
        if (attempt >= tries || this.#closed.signal.aborted) throw error;
        const delay = backoffDelay(retryPolicyOf(tokens), attempt, this.#ports.random);
        await pause(this.#ports.timers, delay, this.#closed.signal);
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
    const due = (Number(tokens.tokenIssueTimeEpochSec) + Number(tokens.durationUntilRefreshInSec)) * 1000;
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

  /**
   * Schedules another renewal after a failed one, even if nobody makes a call. The first pauses are short, because the
   * server repeats a lost answer only for a short time. After that time, the server regards the used refresh token as
   * stolen.
   */
  #renewLater(error: unknown, tokens: TokenV3IssueResult): void {
    if (!(error instanceof NetworkError) && !isRetryable(error)) return;
    this.#scheduleRenewal(backoffDelay(retryPolicyOf(tokens), this.#failures++, this.#ports.random));
  }
}

const isRetryable = (error: unknown): boolean => error instanceof GatewayError && error.retry;

const isNewer = (a: TokenV3IssueResult, b: TokenV3IssueResult): boolean =>
  a.accessToken !== b.accessToken && Number(a.tokenIssueTimeEpochSec) >= Number(b.tokenIssueTimeEpochSec);

const retryPolicyOf = ({ refreshApiRetryPolicy: policy }: TokenV3IssueResult): Backoff => ({
  initialMs: Number(policy.initialDelayInMillis),
  maxMs: Number(policy.maxDelayInMillis),
  multiplier: policy.multiplier,
  jitter: policy.jitterRate,
});
