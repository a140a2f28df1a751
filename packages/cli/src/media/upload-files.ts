// Stores the state of uploads, so that they can continue after Ctrl-C. Each upload has a file that only its owner can
// read.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemPorts, type UploadStore } from '@sealpost/sdk';
import { configDirectory, writePrivate } from '../logins.ts';

/**
 * Milliseconds for which the state of an upload is kept. A week is enough, because the server drops unfinished uploads
 * after a day.
 */
const KEPT_MS = 7 * 86_400_000;

/** Returns the folder for the state of uploads, and for files that are sent from standard input. */
export const uploadsDirectory = (): string => join(configDirectory(), 'uploads');
const pathOf = (key: string): string => join(uploadsDirectory(), `${key}.json`);

/** Returns a key that depends only on the given parts. It can be used as a file name. */
export const uploadKey = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export const uploadFiles: UploadStore = {
  load(key) {
    forgetOld();
    try {
      return readFileSync(pathOf(key), 'utf8');
    } catch {
      return undefined;
    }
  },
  save: (key, state) => writePrivate(pathOf(key), state),
  remove: (key) => rmSync(pathOf(key), { force: true }),
};

function forgetOld(): void {
  let names: string[];
  try {
    names = readdirSync(uploadsDirectory());
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(uploadsDirectory(), name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? systemPorts.clock.now();
    if (systemPorts.clock.now() - changed > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
