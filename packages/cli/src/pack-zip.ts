// Reads a sticker pack from disk, and makes the zip that the server accepts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { CliError } from './exit-codes.ts';
import { readFault } from './file-faults.ts';

const WANTED = /^(pack\.json|[^.].*\.(png|m4a))$/i;

/**
 * Returns the zip of a pack.
 * @param path a folder with pack.json and pictures, or a zip, which is returned unchanged
 */
export async function packZip(path: string): Promise<Buffer> {
  if (!folderOrFile(path).isDirectory()) return readFileSync(path);
  const names = readdirSync(path).filter((name) => WANTED.test(name));
  if (!names.includes('pack.json')) throw new CliError(`${path} has no pack.json.`);
  const zip = new ZipFile();
  for (const name of names) zip.addBuffer(readFileSync(join(path, name)), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

function folderOrFile(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw readFault(path, error);
  }
}
