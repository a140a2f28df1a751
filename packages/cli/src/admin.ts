// Connects to the admin API of a server. The admin token has power over every account, so it is sent only to the server
// to which it belongs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminClient, AdminClientOptions } from '@sealpost/sdk/admin';
import type { Command } from 'commander';
import { checkedUrl, dataDirectory, serverSetting } from './environment.ts';
import { CliError, exitCodes } from './exit-codes.ts';
import { systemCause } from './file-faults.ts';
import { type LocalServer, requestProven, serverOf } from './local-server.ts';

export interface AdminOptions {
  readonly url?: string;
  readonly dataDir?: string;
  readonly adminToken?: string;
  readonly json?: boolean;
}

/** A client of the admin API of one server. */
export interface Admin extends AdminClient {
  readonly url: string;
}

const TOKEN_FILE = 'admin-token';

export const withAdminOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'address of the server that SEALPOST_ADMIN_TOKEN belongs to (or SEALPOST_URL)')
    .option('--data-dir <folder>', 'data folder of a server on this machine (or SEALPOST_DATA_DIR; default ./data)')
    .option('--json', 'print JSON');

/**
 * Returns a client of the admin API. If the user gave both a server and a token, the client calls that server.
 * Otherwise it calls the server of the data folder, which must prove its identity before the token is sent.
 */
export async function adminOf(options: AdminOptions): Promise<Admin> {
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

/**
 * Creates a client of the admin API. The module of the client is loaded only here, because it loads every schema of
 * that API.
 */
async function adminAt(options: AdminClientOptions & { readonly url: string }): Promise<Admin> {
  const { createAdminClient } = await import('@sealpost/sdk/admin');
  return { url: options.url, ...createAdminClient(options) };
}

interface Page {
  readonly cursor?: string;
}

/** Returns the items of all pages of a list. */
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

/**
 * Returns the server that runs on the data folder. Throws if no server runs there. Also throws if the user named
 * another address, because the token of the data folder is not valid there.
 */
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
    `The admin token in ${dataDir} belongs to the server at ${server.url} and is not sent to ${named}. Leave out --url (and SEALPOST_URL), or give the token of that server with SEALPOST_ADMIN_TOKEN.`,
    exitCodes.usage,
  );
}

const comparable = (url: string): string => new URL(url).origin.replace('//localhost', '//127.0.0.1');

/** Returns the token that the user gave, if any. Only the user knows to which server this token belongs. */
function givenToken({ adminToken }: AdminOptions): string | undefined {
  if (adminToken !== undefined) return adminToken;
  if (process.env.SEALPOST_ADMIN_TOKEN) return process.env.SEALPOST_ADMIN_TOKEN;
  const file = process.env.SEALPOST_ADMIN_TOKEN_FILE;
  return file === undefined ? undefined : readToken(file);
}

/** Returns the token of a data folder's server: the configured token, otherwise the token that the server generated. */
function tokenOf(dataDir: string, options: AdminOptions): string {
  // The settings in the current folder and the environment are used only if the user named no data folder. Otherwise
  // they belong to another server.
  const setHere = options.dataDir === undefined ? serverSetting('admin-token') : undefined;
  return setHere ?? readToken(join(dataDir, TOKEN_FILE));
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CliError(
      `No admin token: ${file} cannot be read: ${systemCause(error)}. Set SEALPOST_ADMIN_TOKEN, or name the server's data folder with --data-dir.`,
    );
  }
}
