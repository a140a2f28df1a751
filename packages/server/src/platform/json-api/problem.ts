// Errors of JSON endpoints in the format problem+json (RFC 9457).
import { ApiError, errors } from '@sealpost/contract';
import type { FieldCode, Problem as ProblemBody, ProblemCode } from '@sealpost/contract/admin';
import { STATUS_CODES } from '../http/node-http.ts';
import { ContractBroken } from '../rpc/strict-contract.ts';
import { StoreFull, StoreUnavailable } from '../store/store.ts';

export const problemType = 'application/problem+json';

/** A field that breaks a rule. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  /** The name of the rule, if it has one. */
  readonly code?: FieldCode;
}

interface ProblemDetails {
  readonly code?: ProblemCode;
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
  readonly retryAfter?: number;
}

export class Problem extends Error {
  override name = 'Problem';
  readonly body: ProblemBody;
  /** Seconds after which the client may repeat the request. */
  readonly retryAfter: number | undefined;
  constructor(status: number, detail: string, { retryAfter, code, field, errors: fields }: ProblemDetails = {}) {
    super(detail);
    this.retryAfter = retryAfter;
    this.body = {
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Error',
      status,
      detail,
      ...(code === undefined ? {} : { code }),
      ...(field === undefined ? {} : { field }),
      ...(fields ? { errors: [...fields] } : {}),
    };
  }
}

/** Texts that replace Fastify's own error texts, by status. */
const refusals: Readonly<Record<number, string>> = {
  400: 'the body is not as long as its Content-Length says',
  413: 'the body is larger than this call takes',
  415: 'the header Content-Type is not a type; send application/json',
};

/** Returns the problem for an error; undefined for an unexpected error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof ContractBroken) return new Problem(500, error.message);
  if (error instanceof StoreFull)
    return new Problem(503, 'the disk of the server is full: make room, then try again', { code: 'disk-full' });
  if (error instanceof StoreUnavailable)
    return new Problem(503, 'the store does not answer; try again', { code: 'store-silent' });
  if (error instanceof ApiError) {
    return new Problem(errors[error.code].retry ? 503 : errors[error.code].http, error.reason);
  }
  // Fastify itself raises some errors, such as those for invalid JSON, a large body, or a wrong content type.
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem(statusCode, refusals[statusCode] ?? 'the request is not one that this server understands');
  }
  return undefined;
}
