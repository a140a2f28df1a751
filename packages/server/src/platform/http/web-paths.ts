// What is served beside the protocol.
import type { RequestListener } from 'node:http';

export interface WebPaths {
  readonly listener: RequestListener;
  /** The body of a refusal in the form of its path, whoever serves it. */
  refusalAt(path: string, status: number, reason: string): { readonly type: string; readonly body: string };
}

export const isAdminPath = (path: string): boolean => path.startsWith('/api/admin/');
