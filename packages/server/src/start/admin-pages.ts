// The administration pages, which browsers get at /admin. They talk to the admin API only.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminPagesFolder } from '@sealpost/web/admin';
import { INDEX, openPageFolder, type PageFile } from '../platform/http/page-folder.ts';

/** The path of the pages. Their files are below it. */
export const ADMIN_PAGES = '/admin';

interface AdminAnswer {
  /** The headers of every file of the pages. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if there is no such file. */
  readonly page: PageFile | undefined;
  readonly redirect?: string;
}

export interface AdminPages {
  /** Returns what is at the path of a request; undefined for paths that do not belong to the pages. */
  at(path: string): Promise<AdminAnswer | undefined>;
}

const OFF = [
  ...['accelerometer', 'camera', 'display-capture', 'encrypted-media', 'gamepad', 'geolocation'],
  ...['gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'payment', 'serial'],
  ...['usb', 'window-management', 'xr-spatial-tracking'],
];

/** No scripts of the messenger may run on these pages: they have no worker, and create no policy of Trusted Types. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:"],
    ...["font-src 'self'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    ...['publickey-credentials-create=(self)', 'publickey-credentials-get=(self)'],
    ...OFF.map((name) => `${name}=()`),
  ].join(', '),
};

/** Returns the pages; undefined if the pages are not built. */
export function createAdminPages(folder: string = fileURLToPath(adminPagesFolder)): AdminPages | undefined {
  if (!existsSync(join(folder, INDEX))) return undefined;
  const pages = openPageFolder(folder);
  return {
    async at(path) {
      if (path === `${ADMIN_PAGES}/`) return { headers, page: undefined, redirect: ADMIN_PAGES };
      if (path === ADMIN_PAGES) return { headers, page: await pages.at('/') };
      if (!path.startsWith(`${ADMIN_PAGES}/`)) return undefined;
      return { headers, page: await pages.at(path.slice(ADMIN_PAGES.length)) };
    },
  };
}
