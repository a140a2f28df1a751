// Administrators of a test server, who set up and log in over HTTP, as a browser does.
import type { AdminResult } from '@sealpost/contract/admin';
import { type AdminClient, createAdminClient } from '@sealpost/sdk/admin';
import { Secret, TOTP } from 'otpauth';
import { operator } from './people.ts';

/** The parts of a server that this module needs. */
interface Place {
  readonly url: string;
  readonly adminToken: string;
}

/** A browser with a page of the server: it sends the origin of the page, and keeps the cookie that the server sets. */
export interface AdminBrowser {
  readonly client: AdminClient;
  /** The value of the header Cookie; empty if there is no cookie. */
  cookie: string;
  /** The last header Set-Cookie that the browser got. */
  readonly lastSetCookie: () => string | undefined;
}

export function adminBrowser(
  { url }: Pick<Place, 'url'>,
  headers: Readonly<Record<string, string>> = {},
): AdminBrowser {
  let lastSetCookie: string | undefined;
  const browser: AdminBrowser = {
    cookie: '',
    lastSetCookie: () => lastSetCookie,
    client: createAdminClient({
      async send({ method, path, headers: own, body, bytes }) {
        const response = await fetch(url + path, {
          method,
          headers: {
            Origin: new URL(url).origin,
            ...own,
            ...headers,
            ...(browser.cookie && { Cookie: browser.cookie }),
          },
          body: body ?? null,
          redirect: 'manual',
        });
        for (const cookie of response.headers.getSetCookie()) {
          lastSetCookie = cookie;
          browser.cookie = cookie.includes('Max-Age=0') ? '' : (cookie.split(';')[0] ?? '');
        }
        if (bytes && response.ok && response.body) return { status: response.status, text: '', content: response.body };
        return { status: response.status, text: await response.text() };
      },
    }),
  };
  return browser;
}

/** An authenticator app. */
export interface Authenticator {
  /** Returns a code that was not returned before: the code of the present half minute, or of the next one. */
  code(): string;
  /** Returns the code that is valid at a time. */
  codeAt(time: number): string;
}

export function authenticator(secret: string, now: () => number = Date.now): Authenticator {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  let last = 0;
  return {
    code() {
      last = Math.max(last + 1, Math.floor(now() / 30_000));
      return totp.generate({ timestamp: last * 30_000 });
    },
    codeAt: (time) => totp.generate({ timestamp: time }),
  };
}

export interface TestAdministrator extends AdminBrowser, Authenticator {
  readonly name: string;
  readonly password: string;
  readonly recoveryCodes: readonly string[];
}

let made = 0;

/** Returns the secret of a new setup link. */
export async function setupSecret(place: Place, name?: string): Promise<string> {
  const { link } = await operator(place).createSetupLink(name === undefined ? {} : { name });
  return link.split('#setup=')[1] ?? '';
}

/** Sets up an administrator with an authenticator app. The result is logged in. */
export async function logInAdministrator(
  place: Place,
  { name = `admin-${++made}`, now }: { readonly name?: string; readonly now?: () => number } = {},
): Promise<TestAdministrator> {
  const browser = adminBrowser(place);
  const password = `the password of ${name}`;
  await browser.client.setUp({ setup: await setupSecret(place), name, password });
  const { secret } = await browser.client.beginTotp();
  const app = authenticator(secret, now);
  const { recoveryCodes = [] }: AdminResult<'addTotp'> = await browser.client.addTotp({
    code: app.code(),
    name: 'phone',
  });
  return Object.assign(browser, app, { name, password, recoveryCodes });
}

/**
 * Creates a clock that stands still until a test moves it. While it stands still, codes of authenticator apps do not
 * change.
 */
export function stoppedClock(start = Date.UTC(2026, 10, 24, 12)) {
  let time = start;
  return {
    now: () => time,
    monotonic: () => time - start,
    move: (ms: number) => {
      time += ms;
    },
  };
}
