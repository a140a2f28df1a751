// Writes the checksums of all files in the folder of a release.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUMS = 'SHA256SUMS';

/** Writes SHA256SUMS, which names all other files of the folder. */
export function writeChecksums(folder: string): void {
  const sums = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SUMS)
    .map(({ name }) => name)
    .sort()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), sums.join(''));
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
