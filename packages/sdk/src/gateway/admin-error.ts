// The error of a refused call to the admin API. It is not in admin.ts, because that file loads every schema of the API.
import type { Problem } from '@sealpost/contract/admin';

/** The server's answer to a call of the admin API, with the whole body as text, or as bytes that still arrive. */
export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
  /** The bytes of a success, if the request set `bytes`. */
  readonly content?: AsyncIterable<Uint8Array>;
}

/** The error for a call of the admin API that the server refused. */
export class AdminError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Whether the body has the form of a refusal of such an endpoint. Servers answer unknown paths in another form. */
  readonly isProblem: boolean;
  /**
   * True if the body is not JSON. This server answers in JSON only, so something in front of it answered, such as a
   * proxy with an error page of its own.
   */
  readonly isForeign: boolean;
  /** The HTTP status in words, from the answer. */
  readonly title: string;
  /** A sentence that says what was refused, and why. */
  readonly detail: string;
  /** The name of the refusal, if it has one: see `Problem` in the reference. */
  readonly code: string | undefined;
  /** The field whose value another account already has; undefined for other refusals. */
  readonly field: string | undefined;
  /** What is wrong with each invalid field; empty if the refusal is about something else. */
  readonly errors: readonly { readonly field: string; readonly message: string; readonly code?: string }[];

  /** @param root the beginning of the paths of the API, for the advice to whoever runs a proxy */
  constructor(what: string, { status, text }: AdminAnswer, root: string) {
    const body = jsonIn(text);
    const isForeign = body === undefined;
    const problem = (body ?? {}) as Partial<Problem>;
    const title = problem.title ?? `HTTP ${status}`;
    // A page of a proxy is not shown: it is long, and its reader did not ask for it.
    const detail = isForeign ? passOn(root) : (problem.detail ?? problem.title ?? text);
    super(`${what} failed: ${detail} (HTTP ${status}).`);
    this.name = 'AdminError';
    this.status = status;
    this.isProblem = problem.detail !== undefined;
    this.isForeign = isForeign;
    this.title = title;
    this.detail = detail;
    this.code = problem.code;
    this.field = problem.field;
    this.errors = problem.errors ?? [];
  }
}

const passOn = (root: string): string =>
  `something in front of the server answered; a proxy must let ${root}/ through, or use the server's own address`;

/** Returns the value that the text has as JSON; undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
