// A refused call of the admin API. Apart from its client, which loads every schema of that API.
import type { Problem } from '@sealpost/contract/admin';

/** The answer to it, read to its end. */
export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
}

/** The server refused a call of the admin API. */
export class AdminError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The status in words. */
  readonly title: string;
  /** What was refused, and why. */
  readonly detail: string;
  /** The field whose value another account has. */
  readonly field: string | undefined;
  /** What is wrong with each field that does not fit. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];

  constructor(what: string, { status, text }: AdminAnswer) {
    const problem = problemIn(text);
    const title = problem.title ?? `HTTP ${status}`;
    const detail = problem.detail ?? problem.title ?? text;
    super(`${what} failed: ${detail} (HTTP ${status}).`);
    this.name = 'AdminError';
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.field = problem.field;
    this.errors = problem.errors ?? [];
  }
}

function problemIn(text: string): Partial<Problem> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Problem>;
  } catch {
    return {};
  }
}
