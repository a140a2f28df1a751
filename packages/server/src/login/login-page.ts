// The page behind a QR code: shows which device asks to be let in, and how to let it in. It decides nothing, so it needs
// no login.
import { escapeHtml, htmlPage } from '../docs/html.ts';
import type { Store } from '../store/store.ts';
import { bytesOf } from './key-chain.ts';
import type { PendingLogins } from './pending-logins.ts';
import { qrPath } from './qr-login.ts';
import type { LoginRow } from './queries.ts';

export interface ShownPage {
  readonly status: number;
  readonly html: string;
}

/** @param secret the query value of that name: the public key of the new device */
export type QrPage = (authSessionId: string, secret: string | undefined) => Promise<ShownPage>;

export interface QrPageDeps {
  readonly store: Store;
  readonly pending: PendingLogins;
  readonly url: () => string;
}

const PUBLIC_KEY_BYTES = 32;

export const createQrPage =
  ({ store, pending, url }: QrPageDeps): QrPage =>
  async (authSessionId, secret) => {
    const row = await store.read((reader) => pending.find(reader, authSessionId));
    if (row?.kind !== 'QR' || row.state === 'created') return { status: 404, html: page('This login is over', OVER) };
    const sealed = secret !== undefined && bytesOf(secret) === PUBLIC_KEY_BYTES;
    const query = sealed ? `?secret=${encodeURIComponent(secret)}&e2eeVersion=1` : '';
    return { status: 200, html: page(titles[row.state], contentOf(row, `${url()}${qrPath}${row.id}${query}`)) };
  };

const titles = {
  waiting: 'A device asks to be let in',
  scanned: 'A device waits for your confirmation',
  approved: 'This device was confirmed',
  verified: 'This device was confirmed',
  denied: 'This login was refused',
} as const;

const OVER =
  '<p>The QR code has expired, was used, or never existed. Start the login again on the new device; a QR code is good for three minutes.</p>';

function contentOf(row: LoginRow, url: string): string {
  const facts: readonly (readonly [string, string])[] = [
    ['Device', [row.system_name, row.model_name].filter(Boolean).join(', ') || 'did not say'],
    ['Address', row.remote_address || 'unknown'],
    ['Asked at', timeOf(row.created_time)],
    ['Expires at', timeOf(row.expires_time)],
  ];
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd><code>${escapeHtml(value)}</code></dd>`).join('');
  return `<dl>${list}</dl>\n${advice(row, url)}`;
}

function advice(row: LoginRow, url: string): string {
  switch (row.state) {
    case 'denied':
      return '<p>Nothing was let in. Start again on the new device if it is yours.</p>';
    case 'approved':
    case 'verified':
      return (
        '<p>If the new device shows a PIN, type it on the device that confirmed the login. If you did not confirm this login, refuse it now:</p>' +
        `<pre tabindex="0">sealpost devices deny ${escapeHtml(row.id)}</pre>`
      );
    default:
      return `<p><strong>Go on only if you started this login yourself, on a device in front of you, just now.</strong> Whoever is let in reads your messages and writes in your name.</p>
<p>Confirm it on a device that is logged in to your account. In a terminal:</p>
<pre tabindex="0">sealpost devices approve '${escapeHtml(url)}'</pre>
<p>If it is not yours, do nothing: it expires by itself.</p>`;
  }
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const page = (title: string, content: string): string =>
  htmlPage({
    title: `Sealpost: ${title}`,
    body: `<header><a href="/" class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24"> Sealpost</a></header>
<main class="narrow">
<h1>${title}</h1>
${content}
</main>`,
  });
