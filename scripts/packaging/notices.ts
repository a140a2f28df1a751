// Collects the licences of the libraries inside a bundle. Most licences require their text beside every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asksForText, isAllowedInBundles } from './licences.ts';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(licen[cs]e|copying|notice)/i;
/** Matches the line in the licence file of a bundler after which the licences of its bundled dependencies follow. */
const OF_OTHERS = /^# Licenses of bundled dependencies$/m;

/** The authors of libraries that name the MIT licence, but whose packages do not contain its text. */
const MIT_BY = new Map([['abstract-logging', 'James Sumners']]);

const mitOf = (holder: string): string => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** A library of which a bundle contains some modules. */
export interface Library {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

interface NotedLibrary extends Library {
  /** The texts of the library's licences. */
  readonly notice: string;
}

/**
 * Returns the libraries to which modules belong, each once.
 * @param modules the paths of the modules in the bundle
 * @throws Error if one of the libraries is not allowed in a bundle, or has no text of its licence
 */
export function librariesOf(modules: Iterable<string>): NotedLibrary[] {
  const folders = new Set([...modules].flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const all = new Map([...folders].map(libraryIn).map((one) => [`${one.name} ${one.version}`, one]));
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Returns the licence texts of libraries as one text. */
export const noticesText = (libraries: readonly NotedLibrary[]): string =>
  libraries
    .map(({ name, version, licence, notice }) => [`${name} ${version}, ${licence}`, '', notice, ''].join('\n'))
    .join('\n');

function libraryIn(folder: string): NotedLibrary {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = String(license);
  const library = `${name} ${version}`;
  if (!isAllowedInBundles(licence)) throw new Error(`${library} has the licence ${licence}, which no bundle may have`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .sort()
    .map((file) => (readFileSync(join(folder, file), 'utf8').split(OF_OTHERS)[0] ?? '').trim());
  const holder = licence === 'MIT' ? MIT_BY.get(name) : undefined;
  const notice = texts.filter(Boolean).join('\n\n') || (holder ? mitOf(holder) : '');
  if (notice === '' && asksForText(licence))
    throw new Error(`${library} has no text of its licence ${licence}, and each copy needs one`);
  return { name, version, licence, notice };
}
