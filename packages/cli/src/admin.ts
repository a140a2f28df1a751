// The operator's interface of a server. The admin token rules every account, so it goes to its own server only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NetworkError } from '@sealpost/sdk';
import type { Command } from 'commander';
import { checkedUrl, dataDirectory, serverSetting } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { type LocalServer, requestProven, serverOf } from './local-server.ts';

export interface Account {
  readonly mid: string;
  readonly userid: string | null;
  readonly displayName: string;
  readonly kind: string;
  readonly disabled: boolean;
  readonly email: string | null;
  readonly phone: string | null;
}

export interface AdminOptions {
  readonly url?: string;
  readonly dataDir?: string;
  readonly adminToken?: string;
  readonly json?: boolean;
}

/** The admin API of one server. A refusal becomes an error with the server's own words. */
export interface Admin {
  readonly url: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Posts a file. */
  upload(path: string, content: Uint8Array, type: string): Promise<unknown>;
}

interface Problem {
  readonly title?: string;
  readonly detail?: string;
}

interface Body {
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Send = (request: {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}) => Promise<Answer>;

const ROOT = '/api/admin/v1';
const TOKEN_FILE = 'admin-token';

export const withAdminOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the server that SEALPOST_ADMIN_TOKEN is of (or SEALPOST_URL)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--json', 'print JSON');

/**
 * The admin API to call: of the server that was named together with its token, else of the server of the data folder,
 * which proves that it is that one before the token is sent.
 */
export function adminOf(options: AdminOptions): Admin {
  const token = givenToken(options);
  const named = options.url ?? process.env.SEALPOST_URL;
  if (token !== undefined && named !== undefined) {
    const url = checkedUrl(named);
    return adminAt(url, token, (request) => sendTo(url, request));
  }
  const dataDir = dataDirectory(options.dataDir);
  const server = serverHere(dataDir, named);
  return adminAt(server.url, token ?? tokenOf(dataDir, options), (request) => requestProven(server, request));
}

function adminAt(url: string, token: string, send: Send): Admin {
  async function request(method: string, path: string, body?: Body): Promise<unknown> {
    const what = `${method} ${ROOT}${path}`;
    const headers = { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': body.type } : {}) };
    const sent = { method, path: ROOT + path, headers, ...(body ? { body: body.content } : {}) };
    const { status, text } = await send(sent);
    if (status < 200 || status > 299) throw refused(what, status, text);
    return text === '' ? null : JSON.parse(text);
  }
  return {
    url,
    call: (method, path, body) =>
      request(method, path, body ? { type: 'application/json', content: JSON.stringify(body) } : undefined),
    upload: (path, content, type) => request('POST', path, { type, content: new Uint8Array(content) }),
  };
}

async function sendTo(url: string, { method, path, headers, body }: Parameters<Send>[0]): Promise<Answer> {
  // A redirect would take the token to an address that nobody named.
  const init = { method, headers, body: body ?? null, redirect: 'manual' } as const;
  const response = await fetch(url + path, init).catch((cause: unknown) => {
    throw new NetworkError(`${method} ${path}`, url, cause);
  });
  return { status: response.status, text: await response.text() };
}

/** The running server of the folder. An address that is not its own is another server's, which has another token. */
function serverHere(dataDir: string, named: string | undefined): LocalServer {
  const server = serverOf(dataDir);
  if (!server) {
    throw new CliError(
      `No server runs in the data folder ${dataDir}. Start it, name its folder with --data-dir (or SEALPOST_DATA_DIR), or name a server with --url and its token with SEALPOST_ADMIN_TOKEN.`,
      exitCodes.unreachable,
    );
  }
  const own = [server.url, ...(server.publicUrl ? [server.publicUrl] : [])].map(comparable);
  if (named === undefined || own.includes(comparable(checkedUrl(named)))) return server;
  throw new CliError(
    `The admin token in ${dataDir} is that of the server at ${server.url}, and is not sent to ${named}. Leave out --url (and SEALPOST_URL), or give the token of that server with SEALPOST_ADMIN_TOKEN.`,
    exitCodes.usage,
  );
}

const comparable = (url: string): string => new URL(url).origin.replace('//localhost', '//127.0.0.1');

function refused(what: string, status: number, text: string): CliError {
  if (status === 401 || status === 403) {
    return new CliError(
      `${what} was refused with HTTP ${status}: the admin token is not this server's. Set SEALPOST_ADMIN_TOKEN, or name the server's data folder with --data-dir.`,
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

/** The token that the caller names, whose server only the caller knows. */
function givenToken({ adminToken }: AdminOptions): string | undefined {
  if (adminToken !== undefined) return adminToken;
  if (process.env.SEALPOST_ADMIN_TOKEN) return process.env.SEALPOST_ADMIN_TOKEN;
  const file = process.env.SEALPOST_ADMIN_TOKEN_FILE;
  return file === undefined ? undefined : readToken(file);
}

/** The token of a folder's server: the one it is set to, else the one it made. */
function tokenOf(dataDir: string, options: AdminOptions): string {
  // The settings here are not those of a server that has its folder elsewhere.
  const setHere = options.dataDir === undefined ? serverSetting('admin-token') : undefined;
  return setHere ?? readToken(join(dataDir, TOKEN_FILE));
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(
      `No admin token: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Set SEALPOST_ADMIN_TOKEN, or name the server's data folder with --data-dir.`,
    );
  }
}
