// The base of the library's limits over a store, which it types but exports only by this path, and the hooks that it
// leaves to the store.
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import { type RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible';

  export default abstract class StoreLimiterBase<Row> extends RateLimiterStoreAbstract {
    protected abstract _get(key: string): Promise<Row | undefined>;
    protected abstract _upsert(key: string, points: number, durationMs: number): Promise<Row | undefined>;
    protected abstract _delete(key: string): Promise<boolean>;
    protected abstract _getRateLimiterRes(key: string, changed: number, row: Row): RateLimiterRes;
  }
}
