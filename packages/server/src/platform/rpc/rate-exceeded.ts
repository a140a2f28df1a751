import { ApiError } from '@sealpost/contract';

/** A rate limit; the answer says in `Retry-After` how long to wait. */
export class RateExceeded extends ApiError {
  readonly retryAfterMs: number;
  constructor(reason: string, retryAfterMs: number) {
    super('EXCESSIVE_ACCESS', reason);
    this.retryAfterMs = retryAfterMs;
  }
}
