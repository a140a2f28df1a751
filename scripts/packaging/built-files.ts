// What the builds of all packages have in common.
import { cpSync } from 'node:fs';

/** Copies what modules read at run time: everything in their folders except sources. */
export function copyFiles(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

/** Returns the path of a source as source maps name it, so that they do not name the machine of the build. */
export const sourceInRepository = (path: string): string => path.slice(path.lastIndexOf('/packages/') + 1);
