// The pages that browsers get at `/`: the web client, or pages of the operator. Chooses their files, their security
// headers, and what the server tells them about itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { joinPath } from '@sealpost/contract/join-path';
import type { Clock, Random } from '@sealpost/contract/ports';
import { INDEX, openPageFolder, type PageFolder } from '../platform/http/page-folder.ts';
import { linkOrigin } from '../platform/objects/link-origin.ts';
import type { Store } from '../platform/store/store.ts';
import { loadServerSecret } from '../slices/sessions/index.ts';
import type { Config } from './config/config.ts';
import { devLogins } from './dev-accounts.ts';

/** The path from which the pages fetch facts about the server. */
export const WEB_FACTS = '/web.json';

/** Facts about the server for the pages that it serves. */
export interface WebFacts {
  readonly version: string;
  readonly brand: string;
  /** The build token with which the pages sign their requests. Everybody who can load the pages knows it. */
  readonly buildToken: string;
  /** The accounts of dev mode, whose passwords are public. Absent in every other mode. */
  readonly accounts?: typeof devLogins;
}

export interface WebClient {
  /** The files of the pages; undefined if the pages are not built. */
  readonly pages: PageFolder | undefined;
  /** The headers of every file of the pages. */
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: WebFacts;
}

/**
 * `served`: the server serves pages. `not built`: the pages are missing, because nobody built them. `none`: the
 * settings turn the pages off.
 */
export type WebClientState = 'served' | 'not built' | 'none';

export const stateOf = (client: WebClient | undefined): WebClientState => {
  if (client === undefined) return 'none';
  return client.pages ? 'served' : 'not built';
};

/** Returns the web client; undefined if the settings turn the pages off. */
export async function createWebClient(
  config: Config,
  { store, random, clock, version }: { store: Store; random: Random; clock: Clock; version: string },
): Promise<WebClient | undefined> {
  const { webPages, webBuildToken, headerBrand, mode } = config;
  if (webPages === undefined) return undefined;
  return {
    pages: existsSync(join(webPages, INDEX)) ? withJoinPage(openPageFolder(webPages)) : undefined,
    headers: pageHeaders(config),
    facts: {
      version,
      brand: headerBrand,
      buildToken: webBuildToken ?? (await madeToken(store, random, clock)),
      ...(mode === 'dev' && { accounts: devLogins }),
    },
  };
}

/**
 * Adds the path of invite links to the pages. At this path, browsers get the page at `/`, which reads the code from its
 * own address.
 */
const withJoinPage = (pages: PageFolder): PageFolder => ({
  at: async (path) => (await pages.at(path)) ?? (path === joinPath ? pages.at('/') : undefined),
});

/**
 * Returns the build token that this installation made for its pages. The token is derived from a secret in the
 * database, so all servers of the database have the same token.
 */
async function madeToken(store: Store, random: Random, clock: Clock): Promise<string> {
  const secret = await loadServerSecret(store, random, clock);
  return secret.key('web build token').toString('base64url');
}

/** Features of the browser that the pages may use. The features in OFF are forbidden. */
const ALLOWED = ['camera', 'microphone', 'geolocation'];
const OFF = [
  ...['accelerometer', 'display-capture', 'encrypted-media', 'gamepad', 'gyroscope', 'hid'],
  ...['idle-detection', 'local-fonts', 'magnetometer', 'midi', 'payment', 'publickey-credentials-create'],
  ...['publickey-credentials-get', 'serial', 'usb', 'window-management', 'xr-spatial-tracking'],
];

/** Returns the headers of every file of the pages. */
export function pageHeaders({ objects }: Config): Readonly<Record<string, string>> {
  const origin = objects.kind === 's3' ? linkOrigin(objects) : undefined;
  const andObjects = origin === undefined ? '' : ` ${origin}`;
  return {
    'content-security-policy': [
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'"],
      ...[`img-src 'self' data: blob:${andObjects}`, `media-src 'self' blob:${andObjects}`, "font-src 'self'"],
      ...[`connect-src 'self'${andObjects}`, "worker-src 'self'", "manifest-src 'self'", "form-action 'none'"],
      ...["base-uri 'none'", "frame-ancestors 'none'"],
      ...["require-trusted-types-for 'script'", 'trusted-types sealpost-worker'],
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': [...ALLOWED.map((name) => `${name}=(self)`), ...OFF.map((name) => `${name}=()`)].join(', '),
  };
}

/**
 * The headers of the answer with the facts about the server. Pages of other origins cannot read or embed this answer.
 */
export const factsHeaders = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' } as const;
