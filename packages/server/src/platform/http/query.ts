import { ApiError } from '@sealpost/contract';

/**
 * The query of an address.
 * @throws REQUEST_SCHEMA for a key that stands twice: readers take the first or the last, so nobody can tell what was meant
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
