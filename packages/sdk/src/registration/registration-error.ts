import type { Problem } from '@sealpost/contract/admin';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** The error for a call of the registration API that the server refused. */
export class RegistrationError extends Error {
  /**
   * The HTTP status.
   * - 400: a value breaks a rule
   * - 403: the server does not offer this
   * - 404: the code is unknown
   * - 409: the user id is taken
   * - 410: the invite cannot be used any more
   * - 429: there were too many calls
   */
  readonly status: number;
  /** A sentence that says what was refused, and why. */
  readonly detail: string;
  /** The field whose value another account already has; undefined for other refusals. */
  readonly field: string | undefined;
  /** What is wrong with each invalid field; empty if the refusal is about something else. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  /** Milliseconds after which the call may be repeated; undefined if waiting does not help. */
  readonly retryAfterMs: number | undefined;

  constructor(what: string, { status, text, retryAfter }: Answer) {
    const problem = problemIn(text);
    const detail = problem.detail ?? `HTTP ${status}`;
    super(`${what} failed: ${detail} (HTTP ${status}).`);
    this.name = 'RegistrationError';
    this.status = status;
    this.detail = detail;
    this.field = problem.field;
    this.errors = problem.errors ?? [];
    this.retryAfterMs = retryAfter === null ? undefined : Number(retryAfter) * 1000;
  }
}

function problemIn(text: string): Partial<Problem> {
  try {
    const problem: Partial<Problem> | null = JSON.parse(text);
    return problem ?? {};
  } catch {
    return {};
  }
}
