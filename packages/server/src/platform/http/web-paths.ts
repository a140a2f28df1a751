// The paths outside the protocol, such as the admin API and web pages.
import type { RequestListener } from 'node:http';

export interface WebPaths {
  readonly listener: RequestListener;
  /** Returns the body of an error, in the format that errors at this path have. */
  refusalAt(path: string, status: number, reason: string): { readonly type: string; readonly body: string };
}

/** Paths of APIs with JSON bodies that are not part of the protocol. Their refusals are problems. */
export const isJsonApiPath = (path: string): boolean =>
  path.startsWith('/api/admin/') || path.startsWith('/api/registration/');
