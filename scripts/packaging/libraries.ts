// Builds the packages that programs import. Each source becomes one JavaScript file with declarations and a source map.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'tsdown';
import { copyFiles, sourceInRepository } from './built-files.ts';
import { copiedPages, programs } from './file-addresses.ts';
import { builtOf, entriesOf, type Package } from './published.ts';

/** The oldest Node that runs a package. Newer syntax is converted. */
const TARGET = 'node22';
const NODE_TYPES = '@types/node';

/** Builds all packages together, each into `<folder>/<package>/dist`. */
export async function buildLibraries(root: string, packages: readonly Package[], folder: string): Promise<void> {
  const sources = join(root, 'packages');
  const nameOf = (file: string): string => file.replace(/\.ts$/, '');
  const entries = packages.flatMap((one) => entriesOf(one.manifest).map((path) => join(one.folder, path)));
  await build({
    config: false,
    logLevel: 'warn',
    cwd: sources,
    tsconfig: join(root, 'tsconfig.json'),
    entry: Object.fromEntries(entries.map((path) => [nameOf(path), path])),
    outDir: folder,
    clean: false,
    format: 'esm',
    fixedExtension: false,
    platform: 'node',
    target: TARGET,
    unbundle: true,
    sourcemap: true,
    dts: true,
    deps: { neverBundle: (id) => !id.startsWith('.') && !id.startsWith(sources) },
    plugins: [
      copiedPages,
      programs((file) => nameOf(relative(sources, file))),
      // Leaves imports of the manifest unchanged. It is beside the folder `dist`, as it is beside `src` in the
      // repository.
      {
        name: 'manifest',
        resolveId: { filter: { id: /\/package\.json$/ }, handler: (id) => ({ id, external: true }) },
      },
    ],
    outputOptions: { sourcemapPathTransform: sourceInRepository },
    checks: { pluginTimings: false },
  });
  for (const one of packages) {
    const dist = join(folder, one.folder, 'dist');
    renameSync(join(folder, one.folder, 'src'), dist);
    copyFiles(sources, one, dist);
    if (NODE_TYPES in (one.manifest.dependencies ?? {})) referToNode(one, join(folder, one.folder));
  }
}

/**
 * Makes the declarations of a package refer to those of Node, because a program that uses the package may not load
 * them.
 */
function referToNode({ manifest }: Package, place: string): void {
  for (const source of entriesOf(manifest)) {
    const file = join(place, builtOf(source, '.d.ts'));
    writeFileSync(file, `/// <reference types="node" />\n${readFileSync(file, 'utf8')}`);
  }
}
