import { ApiError } from '@sealpost/contract';

/** Error of a rate limit. The answer's header `Retry-After` tells how long to wait. */
export class RateExceeded extends ApiError {
  readonly retryAfterMs: number;
  constructor(reason: string, retryAfterMs: number) {
    super('EXCESSIVE_ACCESS', reason);
    this.retryAfterMs = retryAfterMs;
  }
}
