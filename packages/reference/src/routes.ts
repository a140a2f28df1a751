// The routes of all documents that the server shows. Each answers a GET with a fixed body.
import { readFileSync } from 'node:fs';
import { asyncApi } from './asyncapi.ts';
import { pageHeaders as headers } from './html.ts';
import { landingPage } from './landing.ts';
import { openApi } from './openapi.ts';
import { tryItPage } from './page.ts';
import { documentedHttpEndpoints, documentedMethods } from './source.ts';

export interface DocsInfo {
  readonly url: string;
  readonly obsUrl: string;
  readonly brand: string;
  readonly version: string;
  /** Tells whether the server shows the web client at `/`. If it does not, the page about the server is shown there. */
  readonly webClient: 'served' | 'not built' | 'none';
  /** The build token that the page fills in. Only set in dev mode, where the token is not a secret. */
  readonly buildToken?: string;
}

export interface DocsRoute {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const file = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json';

export function docsRoutes(info: DocsInfo): readonly DocsRoute[] {
  const about = landingPage({ ...info, endpointCount: documentedMethods.length + documentedHttpEndpoints.length });
  const routes: readonly (readonly [path: string, contentType: string, body: string])[] = [
    ...(info.webClient === 'served' ? [] : [['/', HTML, about] as const]),
    ['/docs/server', HTML, about],
    ['/docs', HTML, tryItPage(info)],
    ...browserModules.map((name) => [`/docs/${name}`, SCRIPT, file(`generated/${name}`)] as const),
    ['/docs/style.css', 'text/css; charset=utf-8', file('style.css')],
    ['/docs/icon.svg', 'image/svg+xml', file('icon.svg')],
    ['/openapi.json', JSON_TYPE, JSON.stringify(openApi(info, info.buildToken !== undefined))],
    ['/asyncapi.json', JSON_TYPE, JSON.stringify(asyncApi(info))],
  ];
  return routes.map(([path, contentType, body]) => ({ path, contentType, body, headers }));
}

/** The scripts of /docs. `npm run docs` generates each of them from a TypeScript file. */
const browserModules = [
  'app.js',
  'bytes.js',
  'calls.js',
  'credential.js',
  'dom.js',
  'example.js',
  'signature.js',
  'web-crypto.js',
] as const;
