// Runs a real browser without a window, for tests of what happens only in a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of the Chromium that the test command found or installed; undefined if there is none. */
export const chromium = process.env.SEALPOST_TEST_CHROMIUM;

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  // Pages of the tests open other pages without a click of a user.
  '--disable-popup-blocking',
];

/** Opens an address in a new browser profile, and ends the browser when `over` resolves. */
export async function browse(executable: string, url: string, over: Promise<unknown>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'sealpost-browser-'));
  const browser = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    // A process group of its own, so that all processes of the browser can be killed together.
    detached: true,
  });
  const gone = once(browser, 'exit');
  try {
    await Promise.race([
      over,
      gone.then(([code]) => {
        throw new Error(`${executable} ended with ${code}`);
      }),
    ]);
  } finally {
    if (browser.exitCode === null && browser.pid) process.kill(-browser.pid, 'SIGKILL');
    await gone.catch(() => {});
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
