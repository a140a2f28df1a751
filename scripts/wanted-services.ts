// Finds the services that test files need. A file needs a service if its text, or that of a test file that it imports,
// contains the service's environment variable.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ServiceName, serviceNames, serviceVariable } from './test-services.ts';

const DEV_ENV = '@sealpost/dev-env/';
const IMPORT = /^(?:import|export)(?! type)\b[^'"]*?from '([^']+)'|^import '([^']+)'/gm;

/** @param root the folder of the project, which contains `packages` */
export function wantedServices(root: string, files: readonly string[]): Set<ServiceName> {
  const texts = [...textsBehind(root, files)];
  return new Set(serviceNames.filter((name) => texts.some((text) => text.includes(serviceVariable(name)))));
}

/** Returns the texts of test files, and of all files in tests and in the package dev-env that they import. */
export function* textsBehind(root: string, files: readonly string[]): Generator<string> {
  const read = new Set<string>();
  const left = files.map((file) => resolve(root, file));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (read.has(file) || !existsSync(file)) continue;
    read.add(file);
    const text = readFileSync(file, 'utf8');
    yield text;
    for (const [, from, bare] of text.matchAll(IMPORT)) {
      const target = placeOf(root, file, from ?? bare ?? '');
      if (target) left.push(target);
    }
  }
}

/** Returns the path of an import if it is a file of tests or of the package dev-env. No other file needs a service. */
function placeOf(root: string, file: string, specifier: string): string | undefined {
  if (specifier.startsWith(DEV_ENV)) return join(root, 'packages/dev-env/src', `${specifier.slice(DEV_ENV.length)}.ts`);
  return specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
}
