// The page about the server at `/` or `/docs/server`. The page says what this server is and how to connect a client,
// and has links to further pages.
import { brandHeader, clientVersion, httpPaths, pathOf } from '@sealpost/contract';
import { escapeHtml, htmlPage } from './html.ts';

export interface LandingInfo {
  readonly url: string;
  readonly obsUrl: string;
  readonly brand: string;
  readonly version: string;
  /** Tells whether the server shows the web client at `/`. */
  readonly webClient: 'served' | 'not built' | 'none';
  readonly endpointCount: number;
}

export function landingPage({ url, obsUrl, brand, version, webClient, endpointCount }: LandingInfo): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Gateway', url],
    ['A call', `POST ${url}${pathOf('TalkService.getProfile')}`],
    ['Operation stream', `GET ${url}${httpPaths.operationReceive}`],
    ['Object storage', obsUrl],
  ];
  const headers: readonly (readonly [string, string])[] = [
    [brandHeader(brand, 'clientVersion'), clientVersion],
    [brandHeader(brand, 'access'), 'the access token, after login'],
    ['X-Hmac', 'signature of path and body, scheme 1'],
  ];
  return htmlPage({
    title: 'Sealpost',
    body: `<header><a href="/" class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24"> Sealpost</a> <span>${escapeHtml(version)}</span></header>
<main class="narrow">
<h1>A messaging server answers here</h1>
<p>Sealpost is an open, self-hosted server for the personal messaging gateway. It keeps accounts, chats, messages and keys in its own database, and pushes every change to all devices of an account.</p>
${webClient === 'not built' ? NOT_BUILT : ''}<p class="links">${webClient === 'served' ? TO_CLIENT : ''}<a class="button" href="/docs">Try the calls</a> <a class="button quiet" href="/openapi.json">openapi.json</a> <a class="button quiet" href="/asyncapi.json">asyncapi.json</a></p>
<h2>Addresses</h2>
${definitions(rows)}
<h2>Point a client at it</h2>
<p>Set the gateway address of the client to <code>${escapeHtml(url)}</code> and the object-storage address to <code>${escapeHtml(obsUrl)}</code>. Every call carries these headers:</p>
${definitions(headers)}
<p>From a terminal:</p>
<pre tabindex="0">sealpost login alice --url ${escapeHtml(url)}
sealpost listen</pre>
<h2>Status</h2>
<p>${endpointCount} endpoints are served. <a href="/readyz">Ready?</a> <a href="/livez">Alive?</a> <a href="/version">Version</a></p>
</main>`,
  });
}

const TO_CLIENT = '<a class="button" href="/">Open the web client</a> ';
const NOT_BUILT =
  '<p>The web client is not built: run <code>npm run build -w packages/web</code>, and start the server again.</p>\n';

const definitions = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value)}</code></dd>`).join('')}</dl>`;
