// The errors that a caller of the gateway gets (specification: Errors).
import { type ErrorEntry, type ErrorName, errors } from '@sealpost/contract';

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
  readonly retryAfterMs: number | undefined;

  constructor(what: string, http: number, body: ErrorBody, retryAfterMs?: number) {
    const error = nameOf(http, body);
    const reason = body.data?.reason ?? body.data?.alertMessage ?? body.message ?? `HTTP ${http}`;
    const number = body.data?.code ?? body.code ?? http;
    const advice = error ? (advices[error] ?? errors[error].doc) : '';
    super(`${what} failed: ${reason} (${error ?? body.data?.name ?? 'error'} ${number}). ${advice}`.trimEnd());
    this.name = 'GatewayError';
    this.http = http;
    this.code = body.code ?? 0;
    this.talkCode = body.data?.code;
    this.exception = body.data?.name;
    this.error = error;
    this.reason = reason;
    this.parameterMap = body.data?.parameterMap ?? {};
    this.retryAfterMs = retryAfterMs;
  }

  /** True if the same call, unchanged, may succeed later. */
  get retry(): boolean {
    return this.error ? errors[this.error].retry : this.http >= 500;
  }

  /**
   * True for talk code 119 and for most answers with HTTP 401. The tokens must then be renewed, and the call repeated
   * once.
   */
  get needsRenewal(): boolean {
    return this.error === 'MUST_REFRESH_V3_TOKEN' || (this.http === 401 && !this.endsSession);
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

/** Advice for the user, for errors whose text in the contract's table does not say what to do. */
const advices: Partial<Record<ErrorName, string>> = {
  REQUEST_NEED_LOGIN: 'Log in first.',
  REQUEST_INVALID_HMAC:
    "The signature does not match: use a build token of the server's SEALPOST_BUILD_TOKENS and let nothing between change the path or the body.",
  AUTH_INVALID_REQUEST: 'The session has ended: log in again.',
  SESSION_LOGGED_OUT: 'The session was logged out, revoked or replaced: log in again.',
  AUTHENTICATION_FAILED: 'The session has ended: log in again.',
  INVALID_IDENTITY_CREDENTIAL: 'Check the user id and the password.',
  NOT_FOUND_PATH: 'The address is not that of this gateway, or its version is older.',
};

const keyOf = (entry: ErrorEntry): string => `${entry.exception}:${entry.code}`;
const isHttpMirror = (entry: ErrorEntry): boolean => entry.code === errors.NOT_FOUND_PATH.code;
const entries = Object.entries(errors) as [ErrorName, ErrorEntry][];
const names = new Map(entries.map(([name, entry]) => [keyOf(entry), name]));
const namesByStatus = new Map(entries.filter(([, e]) => isHttpMirror(e)).map(([name, e]) => [e.http, name]));

function nameOf(http: number, body: ErrorBody): ErrorName | undefined {
  if (body.data?.name !== undefined) return names.get(`${body.data.name}:${body.data.code}`);
  if (body.code === errors.NOT_FOUND_PATH.code) return namesByStatus.get(http);
  return names.get(`gateway:${body.code}`);
}

function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause as { code?: string; message?: string } | undefined;
  return inner?.code ?? inner?.message ?? cause.message;
}
