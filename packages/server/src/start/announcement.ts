// Tells programs on this machine where the server of a data folder listens. They can check that what answers there is
// that server, before they show it a token.

import { createHmac } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@sealpost/contract/ports';
import { writeAtomically } from '../platform/kernel/files.ts';
import { randomBase64url } from '../platform/kernel/random-text.ts';

/** The file `server.json` in the data folder. */
interface ServerFile {
  /** Where a program on this machine reaches the server itself, past every proxy. */
  readonly url: string;
  readonly publicUrl?: string;
  readonly pid: number;
  /** Known to those who may read the data folder; new at each start. */
  readonly secret: string;
}

export interface Announcement {
  /** Writes the file, once the server listens. */
  publish(address: { host: string; port: number; publicUrl: string | undefined }): void;
  /** Returns the answer to a challenge that only the server that wrote the file can give. */
  proofOf(challenge: string): string;
  /** Removes the file, unless another server has written it since. */
  withdraw(): void;
}

const FILE = 'server.json';
const SECRET_BYTES = 32;
/** The loopback address at which a server that listens on all addresses is reached. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export function createAnnouncement(dataDir: string, random: Random): Announcement {
  const path = join(dataDir, FILE);
  const secret = randomBase64url(random, SECRET_BYTES);
  let url = '';
  return {
    publish({ host, port, publicUrl }) {
      url = addressOf(LOOPBACK[host] ?? host, port);
      const file: ServerFile = { url, ...(publicUrl && { publicUrl }), pid: process.pid, secret };
      writeAtomically('the address of this server in', path, `${JSON.stringify(file)}\n`, 0o600);
    },
    // The proof covers the address: a program elsewhere that passes the challenge on to this server gets nothing of
    // use.
    proofOf: (challenge) =>
      createHmac('sha256', secret).update(`sealpost server\n${url}\n${challenge}`).digest('base64url'),
    withdraw() {
      if (hasField(path, 'secret', secret)) rmSync(path, { force: true });
    },
  };
}

/** Tells whether the JSON object in a file has this value in a field. */
export function hasField(path: string, name: string, value: unknown): boolean {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[name] === value;
  } catch {
    return false;
  }
}
