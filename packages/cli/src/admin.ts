// The operator's interface of a server: accounts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NetworkError } from '@sealpost/sdk';
import { dataDirectory } from './environment.ts';
import { CliError } from './exit-codes.ts';

export interface Account {
  readonly mid: string;
  readonly userid: string | null;
  readonly displayName: string;
  readonly kind: string;
  readonly disabled: boolean;
  readonly email: string | null;
  readonly phone: string | null;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
}

const ROOT = '/api/admin/v1';
const TOKEN_FILE = 'admin-token';

/** Calls the admin API; a refusal becomes an error with the server's own words. */
export const adminCall = (
  url: string,
  method: string,
  path: string,
  body?: unknown,
  token = adminToken(),
): Promise<unknown> =>
  request(url, method, path, token, body ? { type: 'application/json', content: JSON.stringify(body) } : undefined);

/** Posts a file to the admin API. */
export const adminUpload = (
  url: string,
  path: string,
  content: Uint8Array,
  type: string,
  token = adminToken(),
): Promise<unknown> => request(url, 'POST', path, token, { type, content: new Uint8Array(content) });

interface Body {
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

async function request(url: string, method: string, path: string, token: string, body?: Body): Promise<unknown> {
  const what = `${method} ${ROOT}${path}`;
  const init = {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': body.type } : {}) },
    body: body?.content ?? null,
  };
  const response = await fetch(`${url}${ROOT}${path}`, init).catch((cause: unknown) => {
    throw new NetworkError(what, url, cause);
  });
  const text = await response.text();
  if (!response.ok) throw refused(what, response.status, text);
  return text === '' ? null : JSON.parse(text);
}

function refused(what: string, status: number, text: string): CliError {
  if (status === 401 || status === 403) {
    return new CliError(
      `${what} was refused with HTTP ${status}: the admin token is not this server's. Set SEALPOST_ADMIN_TOKEN, or SEALPOST_DATA_DIR to the server's data directory.`,
    );
  }
  const { title, detail } = problemOf(text);
  return new CliError(`${what} failed: ${detail ?? title ?? text} (HTTP ${status}).`);
}

function problemOf(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

/** The setting, else the file that a server on this machine generated. */
function adminToken(): string {
  if (process.env.SEALPOST_ADMIN_TOKEN) return process.env.SEALPOST_ADMIN_TOKEN;
  const file = process.env.SEALPOST_ADMIN_TOKEN_FILE ?? join(dataDirectory(), TOKEN_FILE);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(
      `No admin token: ${file} can not be read (${(error as NodeJS.ErrnoException).code}). Set SEALPOST_ADMIN_TOKEN, or SEALPOST_DATA_DIR to the server's data directory.`,
    );
  }
}
