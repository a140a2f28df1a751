// Tells programs on this machine where the server of a data folder listens. Such a program can check that an address
// belongs to this server before it sends its token there.

import { createHmac } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@sealpost/contract/ports';
import { writeAtomically } from '../platform/kernel/files.ts';
import { randomBase64url } from '../platform/kernel/random-text.ts';

/** The content of the file `server.json` in the data folder. */
interface ServerFile {
  /** The address at which a program on this machine reaches the server directly, without a proxy. */
  readonly url: string;
  readonly publicUrl?: string;
  readonly pid: number;
  /** A random secret, new at each start. Every program that may read the data folder can read it. */
  readonly secret: string;
}

export interface Announcement {
  /** Writes the file. Called when the server listens. */
  publish(address: { host: string; port: number; publicUrl: string | undefined }): void;
  /** Returns the answer to a challenge. Only the server that wrote the file can compute this answer. */
  proofOf(challenge: string): string;
  /** Removes the file, unless another server has written a new one. */
  withdraw(): void;
}

const FILE = 'server.json';
const SECRET_BYTES = 32;
/** The loopback address for each address that means "all addresses". */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export const newSecret = (random: Random): string => randomBase64url(random, SECRET_BYTES);

/** @param secret the secret that `newSecret` made */
export function createAnnouncement(dataDir: string, secret: string): Announcement {
  const path = join(dataDir, FILE);
  const proof = createProof(secret);
  return {
    publish(address) {
      const { publicUrl } = address;
      proof.publish(address);
      const file: ServerFile = { url: directUrl(address), ...(publicUrl && { publicUrl }), pid: process.pid, secret };
      writeAtomically('the address of this server in', path, `${JSON.stringify(file)}\n`, 0o600);
    },
    proofOf: proof.proofOf,
    withdraw() {
      if (hasField(path, 'secret', secret)) rmSync(path, { force: true });
    },
  };
}

/**
 * Returns an announcement that only proves and writes no file. It is for a process whose supervisor has written the
 * file with this secret.
 */
export function createProof(secret: string): Announcement {
  let url = '';
  return {
    publish(address) {
      url = directUrl(address);
    },
    // The proof includes the address of this server. A false server may forward a challenge to this server, but the
    // proof does not match the false server's address.
    proofOf: (challenge) =>
      createHmac('sha256', secret).update(`sealpost server\n${url}\n${challenge}`).digest('base64url'),
    withdraw() {},
  };
}

/** Returns the address at which a program on this machine reaches the server. */
const directUrl = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  addressOf(LOOPBACK[host] ?? host, port);

/** Returns true if the JSON object in a file has this value in a field. */
export function hasField(path: string, name: string, value: unknown): boolean {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)[name] === value;
  } catch {
    return false;
  }
}
