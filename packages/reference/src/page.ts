// The page at /docs, where every call of the server can be looked up and tried. Its script is browser/app.ts.
import { clientVersion, pathOf } from '@sealpost/contract';
import { escapeHtml, htmlPage } from './html.ts';

export interface TryItInfo {
  readonly brand: string;
  readonly version: string;
  /** The build token that the page fills in. Only set in dev mode, where the token is not a secret. */
  readonly buildToken?: string;
}

export const tryItPage = ({ brand, version, buildToken = '' }: TryItInfo): string =>
  htmlPage({
    title: 'Sealpost: calls',
    script: '/docs/app.js',
    data: {
      brand,
      'client-version': clientVersion,
      'rsa-key-path': pathOf('TalkService.getRSAKeyInfo'),
      'login-path': pathOf('AuthService.loginV2'),
    },
    body: `<a class="skip" href="#call">Skip to the call</a>
<header><a href="/" class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24"> Sealpost</a> <span>${escapeHtml(version)}</span>
<nav aria-label="Documents"><a href="/docs/server">This server</a> <a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a></nav></header>
<div class="columns">
<nav class="side" aria-label="Calls">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="sendMessage, contact, key">
<div id="calls">Loading the calls…</div>
</nav>
<main>
<details class="panel" open>
<summary>Who calls</summary>
<form id="login" class="row">
<div><label for="userid">User id</label><input id="userid" autocomplete="username" required></div>
<div><label for="password">Password</label><input id="password" type="password" autocomplete="current-password" required></div>
<button>Log in</button>
</form>
<div class="row">
<div class="wide"><label for="token">Access token</label><input id="token" autocomplete="off" spellcheck="false" placeholder="log in, or paste one; kept in this tab only"></div>
<div><label for="build-token">Build token</label><input id="build-token" autocomplete="off" spellcheck="false" value="${escapeHtml(buildToken)}"></div>
</div>
</details>
<form id="call" hidden>
<h1 id="name"></h1>
<p><code id="address"></code></p>
<p id="summary"></p>
<p id="facts" class="quiet"></p>
<label for="body">Body</label>
<textarea id="body" rows="12" spellcheck="false"></textarea>
<button class="main">Sign and send</button>
</form>
<section aria-live="polite" aria-label="Answer">
<p id="verdict" class="verdict"></p>
<pre id="answer" tabindex="0"></pre>
</section>
<details><summary>Schema of the body</summary><pre id="schema" tabindex="0"></pre></details>
<details id="emitted" open hidden><summary>Operations that this call emits</summary><ul id="operations" class="operations"></ul></details>
<details><summary>Errors of this call</summary><ul id="errors" class="tags"></ul></details>
<noscript><p>This page signs calls in the browser and needs JavaScript. The same calls are described in <a href="/openapi.json">openapi.json</a>.</p></noscript>
</main>
</div>`,
  });
