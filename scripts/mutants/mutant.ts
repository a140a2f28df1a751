// A mutant: a copy of the project with one small fault, and the tests that should notice the fault.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceName } from '../test-services.ts';

export interface Mutant {
  /** The fault, as a user would notice it. */
  readonly name: string;
  readonly file: string;
  /** The text to replace. It must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test files that notice the fault, the fastest first. */
  readonly tests: readonly string[];
  /** A `--test-name-pattern` for these test files. Without a pattern, all tests of these files run. */
  readonly pattern?: string;
  /** The services that these tests need in addition to SQLite and a folder. */
  readonly needs?: readonly ServiceName[];
}

export interface PlacedMutant extends Mutant {
  /** The name of the file that declares the mutant. */
  readonly area: string;
  /** The area and the name of the mutant, as the command prints them and accepts them as arguments. */
  readonly id: string;
}

/** Loads every mutant of `mutants/*.ts`. */
export async function loadMutants(root: string): Promise<PlacedMutant[]> {
  const areas = globSync('mutants/*.ts', { cwd: root }).sort();
  const loaded = areas.map(async (area) => {
    const { default: mutants } = (await import(pathToFileURL(join(root, area)).href)) as { default: readonly Mutant[] };
    return mutants.map((mutant) => ({ ...mutant, area, id: `${basename(area, '.ts')}: ${mutant.name}` }));
  });
  return (await Promise.all(loaded)).flat();
}

/** Returns the text of the file with the fault in it. */
export function applied(text: string, { file, find, replace }: Mutant): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`its text to find stands ${times} times in ${file}; it must stand there once`);
  const faulty = text.replace(find, () => replace);
  if (faulty === text) throw new Error('it changes nothing');
  return faulty;
}

/** Returns what is wrong with the declarations of mutants. */
export function problems(root: string, mutants: readonly PlacedMutant[]): string[] {
  const ids = mutants.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...twice.map((id) => `${id}\n  has the name of another one`),
    ...mutants.flatMap((mutant) => problemOf(root, mutant).map((problem) => `${mutant.id}\n  ${problem}`)),
  ];
}

function problemOf(root: string, mutant: PlacedMutant): string[] {
  const missing = [mutant.file, ...mutant.tests].filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) return missing.map((path) => `${path} does not exist`);
  if (mutant.tests.length === 0) return ['it names no tests'];
  try {
    const faulty = applied(readFileSync(join(root, mutant.file), 'utf8'), mutant);
    if (mutant.file.endsWith('.ts')) stripTypeScriptTypes(faulty);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
