import { ApiError } from '@sealpost/contract';

/**
 * Returns the query of a URL.
 * @throws REQUEST_SCHEMA if a key occurs twice, because some readers take the first value and others the last
 */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const seen = new Set<string>();
  for (const key of query.keys()) {
    if (seen.has(key))
      throw new ApiError('REQUEST_SCHEMA', `the query has the key ${JSON.stringify(key.slice(0, 50))} twice`);
    seen.add(key);
  }
  return query;
}
