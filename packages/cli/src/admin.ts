// The operator's interface of a server. The admin token rules every account, so it goes to its own server only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdminClient, type AdminClientOptions, createAdminClient } from '@sealpost/sdk/admin';
import type { Command } from 'commander';
import { checkedUrl, dataDirectory, serverSetting } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { type LocalServer, requestProven, serverOf } from './local-server.ts';

export interface AdminOptions {
  readonly url?: string;
  readonly dataDir?: string;
  readonly adminToken?: string;
  readonly json?: boolean;
}

/** The admin API of one server. */
export interface Admin extends AdminClient {
  readonly url: string;
}

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
    return adminAt({ url: checkedUrl(named), token });
  }
  const dataDir = dataDirectory(options.dataDir);
  const server = serverHere(dataDir, named);
  return adminAt({
    url: server.url,
    token: token ?? tokenOf(dataDir, options),
    send: (request) => requestProven(server, request),
  });
}

const adminAt = (options: AdminClientOptions): Admin => ({ url: options.url, ...createAdminClient(options) });

interface Page {
  readonly cursor?: string;
}

/** The items of all pages of a list. */
export async function allPages<P extends Page, T>(
  ask: (from: Page) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let from: Page = {};
  for (;;) {
    const page = await ask(from);
    items.push(...itemsOf(page));
    const { cursor } = page;
    if (cursor === undefined) return items;
    from = { cursor };
  }
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
