// The paths outside the protocol, such as the admin API and web pages.
import type { RequestListener } from 'node:http';

export interface WebPaths {
  readonly listener: RequestListener;
  /** Returns the body of an error in the format that its path uses. */
  refusalAt(path: string, status: number, reason: string): { readonly type: string; readonly body: string };
}

export const isAdminPath = (path: string): boolean => path.startsWith('/api/admin/');
