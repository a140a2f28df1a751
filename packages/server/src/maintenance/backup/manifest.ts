// The manifest of a backup. It is written last, so a backup without a manifest does not exist.
import { hash } from 'node:crypto';
import type { Digest } from '../database/rows.ts';

export const FORMAT = 1;

/** A piece of a backup. It is an object below `parts/` of the place of backups. Two backups share equal pieces. */
export interface Part {
  readonly key: string;
  /** SHA-256 of the stored bytes in hex. */
  readonly hash: string;
  readonly bytes: number;
}

export interface TableCopy extends Digest {
  readonly name: string;
  readonly columns: readonly string[];
  readonly parts: readonly Part[];
}

/** A list of objects in the order of their keys. Each line has the key, the size and the SHA-256. */
export interface ObjectList {
  readonly count: number;
  readonly bytes: number;
  readonly parts: readonly Part[];
}

/** An object that the database names and that could not be copied. */
export interface MissingObject {
  readonly key: string;
  readonly problem: string;
}

export interface Manifest {
  readonly format: number;
  /** The version of the program that made the backup. */
  readonly version: string;
  /** Epoch milliseconds at which the copy of the database was made. */
  readonly time: number;
  readonly database: 'sqlite' | 'postgres';
  readonly schemaVersion: number;
  /** The id of the installation. */
  readonly instance: string;
  readonly tables: readonly TableCopy[];
  readonly media: ObjectList;
  readonly stickers: ObjectList;
  readonly missing: readonly MissingObject[];
  /** The token of the admin API, if the data folder had one. */
  readonly adminToken?: Part;
}

/** Returns the text of a manifest: its JSON, and the hash of the JSON on a separate line. */
export function manifestText(manifest: Manifest): string {
  const json = JSON.stringify(manifest);
  return `${json}\n${hash('sha256', json)}\n`;
}

/** @throws Error that says what is wrong with the text */
export function readManifest(text: string): Manifest {
  const [json = '', digest] = text.split('\n');
  if (hash('sha256', json) !== digest) throw new Error('its manifest is damaged');
  const manifest: Manifest = JSON.parse(json);
  if (manifest.format !== FORMAT)
    throw new Error(`it has format ${manifest.format}, and this program knows format ${FORMAT}. Use a newer one.`);
  return manifest;
}
