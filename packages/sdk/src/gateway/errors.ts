// The errors that a caller of the gateway gets (specification: Errors).
import { accountDeleted, type ErrorName } from '@sealpost/contract';

/** The body of an error answer. */
export interface ErrorBody {
  readonly code?: number;
  readonly message?: string;
  readonly data?: {
    readonly name?: string;
    readonly code?: number;
    readonly reason?: string;
    readonly alertMessage?: string;
    readonly parameterMap?: Readonly<Record<string, string>> | null;
  } | null;
}

/**
 * The error for a server that cannot be reached, or a connection that broke before the answer. The call may have taken
 * effect.
 */
export class NetworkError extends Error {
  readonly url: string;

  constructor(what: string, url: string, cause: unknown) {
    super(
      `${what} failed: no answer from ${url} (${causeOf(cause)}). Check that the server runs and the address is right.`,
      { cause },
    );
    this.name = 'NetworkError';
    this.url = url;
  }
}

/** The entry for an error in the contract's table. */
export interface KnownError {
  readonly name: ErrorName;
  /** True if the same call may succeed later without a change. */
  readonly retry: boolean;
  /** Advice for the user in plain words. */
  readonly advice: string;
}

export interface RefusalDetails {
  readonly known?: KnownError | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The error for a call that the server refused. */
export class GatewayError extends Error {
  readonly http: number;
  /** The outer code of the answer: 10051 for exceptions of a service, otherwise a code of the gateway itself. */
  readonly code: number;
  /** The code inside a TalkException or another exception of a service. */
  readonly talkCode: number | undefined;
  /** The name of the exception, for example `TalkException`. */
  readonly exception: string | undefined;
  /** The error's name in the contract's table; undefined for an error that this version does not know. */
  readonly error: ErrorName | undefined;
  readonly reason: string;
  readonly parameterMap: Readonly<Record<string, string>>;
  /** True if the same call may succeed later without a change. */
  readonly retry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(what: string, http: number, body: ErrorBody, { known, retryAfterMs }: RefusalDetails = {}) {
    const reason = body.data?.reason ?? body.data?.alertMessage ?? body.message ?? `HTTP ${http}`;
    const number = body.data?.code ?? body.code ?? http;
    const name = known?.name ?? body.data?.name ?? 'error';
    super(`${what} failed: ${reason} (${name} ${number}). ${known?.advice ?? ''}`.trimEnd());
    this.name = 'GatewayError';
    this.http = http;
    this.code = body.code ?? 0;
    this.talkCode = body.data?.code;
    this.exception = body.data?.name;
    this.error = known?.name;
    this.retry = known?.retry ?? http >= 500;
    this.reason = reason;
    this.parameterMap = body.data?.parameterMap ?? {};
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * True for talk code 119 and for most answers with HTTP 401. The tokens must then be renewed, and the call repeated
   * once.
   */
  get needsRenewal(): boolean {
    return this.error === 'MUST_REFRESH_V3_TOKEN' || (this.http === 401 && !this.endsSession);
  }

  /** True if the session is over because its account was deleted, so that no login helps. */
  get accountDeleted(): boolean {
    return this.error === 'SESSION_LOGGED_OUT' && this.parameterMap.cause === accountDeleted.cause;
  }

  /** True if the session is over, so that only a new login helps. */
  get endsSession(): boolean {
    return this.error !== undefined && sessionEnds.includes(this.error);
  }
}

/** Returns whether the same call may succeed later: no answer came, or the server refused it only for now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof GatewayError && error.retry);

const sessionEnds: readonly ErrorName[] = ['SESSION_LOGGED_OUT', 'AUTHENTICATION_FAILED', 'AUTH_INVALID_REQUEST'];

function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause as { code?: string; message?: string } | undefined;
  return inner?.code ?? inner?.message ?? cause.message;
}
