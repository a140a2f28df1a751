// Errors of the admin API: problem+json (RFC 9457).
import { STATUS_CODES } from 'node:http';
import { ApiError, errors } from '@sealpost/contract';
import { AccountConflict, InvalidAccount } from '../accounts/index.ts';
import { StoreUnavailable } from '../store/store.ts';

export interface ProblemBody {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly field?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

export const problemType = 'application/problem+json';

export class Problem extends Error {
  override name = 'Problem';
  readonly body: ProblemBody;
  constructor(status: number, detail: string, more: Pick<ProblemBody, 'field' | 'errors'> = {}) {
    super(detail);
    this.body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...more };
  }
}

/** The problem that an error is; undefined for a fault of the server. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidAccount) return new Problem(400, error.message, { errors: error.errors });
  if (error instanceof AccountConflict) return new Problem(409, error.message, { field: error.field });
  if (error instanceof StoreUnavailable) return new Problem(503, 'the store does not answer; try again');
  if (error instanceof ApiError) {
    return new Problem(errors[error.code].retry ? 503 : errors[error.code].http, error.reason);
  }
  // What the HTTP layer itself refuses: bad JSON, a body too large, a wrong content type.
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem(statusCode, message ?? '');
  return undefined;
}
