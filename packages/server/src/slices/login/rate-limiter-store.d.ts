// What we need of the library, by paths of its own: its index loads a limiter for every store there is. The base of
// limits over a store has hooks that it leaves to the store, and does not type.
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
