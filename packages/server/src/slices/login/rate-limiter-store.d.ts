// Types for two modules of rate-limiter-flexible. The modules are imported by path, because the library's index loads a
// limiter for every kind of store. The library has no types for the hooks of its base class.
declare module 'rate-limiter-flexible/lib/RateLimiterRes.js' {
  import { RateLimiterRes } from 'rate-limiter-flexible';

  export default RateLimiterRes;
}

declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import { type RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible';

  export default abstract class StoreLimiterBase<Row> extends RateLimiterStoreAbstract {
    protected abstract _get(key: string): Promise<Row | undefined>;
    protected abstract _upsert(key: string, points: number, durationMs: number): Promise<Row | undefined>;
    protected abstract _delete(key: string): Promise<boolean>;
    protected abstract _getRateLimiterRes(key: string, changed: number, row: Row): RateLimiterRes;
  }
}
