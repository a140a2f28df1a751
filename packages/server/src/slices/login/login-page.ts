// The page at the address in a QR code. The page shows which device wants to log in, and how to confirm the login.
// Nobody can confirm a login on the page, so it is shown without a login. The page never shows the key that the address
// contains, because that key must come from the new device's own screen.
import { escapeHtml, htmlPage } from '@sealpost/reference';
import type { Store } from '../../platform/store/store.ts';
import type { PendingLogins } from './pending-logins.ts';
import type { LoginRow } from './queries.ts';

export interface ShownPage {
  readonly status: number;
  readonly html: string;
}

export type QrPage = (loginId: string) => Promise<ShownPage>;

export interface QrPageDeps {
  readonly store: Store;
  readonly pending: PendingLogins;
}

export const createQrPage =
  ({ store, pending }: QrPageDeps): QrPage =>
  async (loginId) => {
    const row = await store.read((reader) => pending.find(reader, loginId));
    if (row?.kind !== 'QR' || row.state === 'created') return { status: 404, html: page('This login is over', OVER) };
    return { status: 200, html: page(titles[row.state], contentOf(row)) };
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

function contentOf(row: LoginRow): string {
  const facts: readonly (readonly [string, string])[] = [
    ['Device', [row.system_name, row.model_name].filter(Boolean).join(', ') || 'did not say'],
    ['Address', row.remote_address || 'unknown'],
    ['Asked at', timeOf(row.created_time)],
    ['Expires at', timeOf(row.expires_time)],
  ];
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd><code>${escapeHtml(value)}</code></dd>`).join('');
  return `<dl>${list}</dl>\n${advice(row)}`;
}

function advice(row: LoginRow): string {
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
<p>Confirm it on a device that is logged in to your account: scan the code there, or run the command that the <strong>new device</strong> shows below its code. Take neither the code nor a command from a web page, a message or a person: whoever made them could get your keys.</p>
<p>Before keys are handed over, both devices show five words. Go on only if they are the same.</p>
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
