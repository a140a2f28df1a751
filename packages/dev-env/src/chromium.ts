// Runs a real browser without a window, for tests of behaviour that only a browser has.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The path of the Chromium that the test command found or installed; undefined if there is none. */
export const chromium = process.env.SEALPOST_TEST_CHROMIUM;

/**
 * The path of the Chromium for pages that need no notifications. It is `chromium-headless-shell`, if this lies beside the
 * other program. It needs about a fifth less of the processor.
 */
export const headlessShell = shellBeside(chromium) ?? chromium;

function shellBeside(executable: string | undefined): string | undefined {
  if (executable === undefined) return undefined;
  const shell = join(dirname(executable), 'chromium-headless-shell');
  return existsSync(shell) ? shell : undefined;
}

/**
 * Keeps the browser from loading the list of suggestions below the address line, which is a page too. Without a window,
 * nobody could see this list.
 */
export const withoutUnseenPages = '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup';

const FLAGS = [
  withoutUnseenPages,
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  // Allows pop-ups, because pages of the tests open other pages without a user's click.
  '--disable-popup-blocking',
];

export interface Browser {
  /** Rejects if the browser ends without having been killed by `kill`. */
  readonly ended: Promise<never>;
  /** Kills all processes of the browser at once. */
  kill(): Promise<void>;
}

/**
 * Opens an address in a browser.
 * @param profile the folder for the data that pages store; a later browser with the same profile has these data
 */
export function startBrowser(executable: string, url: string, profile: string): Browser {
  const browser = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    // Gives the browser its own process group, so that all its processes can be killed together.
    detached: true,
  });
  const gone = once(browser, 'exit');
  let killed = false;
  const ended = gone.then(([code]) =>
    killed ? new Promise<never>(() => {}) : fail(`${executable} ended with ${code}`),
  );
  // Prevents an unhandled rejection if nobody waits for this promise.
  ended.catch(() => {});
  return {
    ended,
    async kill() {
      killed = true;
      if (browser.exitCode === null && browser.signalCode === null && browser.pid)
        process.kill(-browser.pid, 'SIGKILL');
      await gone.catch(() => {});
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}

/** Creates a new folder for the profile of a browser. */
export const newProfile = (): string => mkdtempSync(join(tmpdir(), 'sealpost-browser-'));

export const removeProfile = (profile: string): void =>
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** Opens an address in a browser with a new profile, and kills the browser when `over` resolves. */
export async function browse(executable: string, url: string, over: Promise<unknown>): Promise<void> {
  const profile = newProfile();
  const browser = startBrowser(executable, url, profile);
  try {
    await Promise.race([over, browser.ended]);
  } finally {
    await browser.kill();
    removeProfile(profile);
  }
}
