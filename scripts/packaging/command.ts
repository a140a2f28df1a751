// Builds the package with the command. Its bundle contains the other packages of the project, and the libraries that
// are loaded at every start. A start that reads few files is faster and needs less memory.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Rolldown, type TsdownBundle } from 'tsdown';
import { copyFiles, sourceInRepository } from './built-files.ts';
import { copiedFiles, copiedPages, programs } from './file-addresses.ts';
import { librariesOf, noticesText } from './notices.ts';
import { NOTICES, PAGES } from './page-libraries.ts';
import type { Package } from './published.ts';

const TARGET = 'node24';
/** The path by which the program of the command imports its main module, in the repository and in the package. */
const ENTRY = { source: '../src/main.ts', built: '../dist/main.js' };
/**
 * Libraries that are not loaded at every start, or that contain machine code. They are not part of the bundle, but
 * dependencies of the package. Those of traces are part of it, in a file that only a server with traces loads: it has
 * 100 kB, and the installed libraries 20 MB.
 */
const INSTALLED = new Set([
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@nats-io/transport-node',
  '@node-rs/argon2',
  'file-type',
  'music-metadata',
  'pg',
  'sharp',
  'yaml',
]);

const ABOUT_PAGES = `The libraries in the pages of the web client are in dist/files/web/${PAGES}/${NOTICES}.`;

/** Builds the command into a folder. Returns the dependencies of its package. */
export async function buildCommand(
  root: string,
  command: Package,
  packages: readonly Package[],
  target: { readonly folder: string; readonly version: string },
): Promise<Record<string, string>> {
  const sources = join(root, 'packages');
  const entry = join(sources, command.folder, 'src/main.ts');
  const bundles = await bundleProgram(root, entry, packages, { ...target, folder: join(target.folder, 'dist') });
  copyProgram(join(sources, command.folder), target.folder);
  cpSync(join(sources, command.folder, 'man'), join(target.folder, 'man'), { recursive: true });
  const notices = noticesText(librariesOf(bundles.flatMap(modulesOf)));
  writeFileSync(join(target.folder, 'THIRD-PARTY-NOTICES.txt'), `${ABOUT_PAGES}\n\n${notices}`);
  return versionsOf(packages);
}

/** Bundles a program of the repository with the modules that it imports. */
export async function bundleProgram(
  root: string,
  entry: string,
  packages: readonly Package[],
  target: { readonly folder: string; readonly version: string },
): Promise<TsdownBundle[]> {
  const sources = join(root, 'packages');
  const bundles = await build({
    config: false,
    logLevel: 'warn',
    cwd: dirname(entry),
    tsconfig: join(root, 'tsconfig.json'),
    entry: { [basename(entry, '.ts')]: entry },
    outDir: target.folder,
    clean: false,
    format: 'esm',
    fixedExtension: false,
    platform: 'node',
    target: TARGET,
    hash: false,
    sourcemap: true,
    dts: false,
    deps: {
      onlyBundle: false,
      alwaysBundle: (id) => !INSTALLED.has(nameOf(id)),
      neverBundle: (id) => INSTALLED.has(nameOf(id)),
    },
    plugins: [
      copiedPages,
      programs((file) => basename(file, '.ts')),
      copiedFiles(sources),
      versions(target.version),
      latin1,
    ],
    outputOptions: { comments: false, sourcemapPathTransform: sourceInRepository },
    checks: { pluginTimings: false },
  });
  for (const one of packages) copyFiles(sources, one, join(target.folder, 'files', one.folder));
  return bundles;
}

/** Returns the name of the package that is imported; empty for modules of Node and for paths. */
const nameOf = (specifier: string): string =>
  /^(node:|[./#])/.test(specifier) ? '' : (/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');

const modulesOf = ({ chunks }: TsdownBundle): string[] =>
  chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));

/** Replaces the manifests that modules import by objects with only the version. */
const versions = (version: string): Rolldown.Plugin => ({
  name: 'versions',
  load: {
    filter: { id: /\/packages\/[^/]+\/package\.json$/ },
    handler: () => ({ code: JSON.stringify({ version }), moduleType: 'json' }),
  },
});

/** Escapes characters that are not in Latin-1. One such character would double the memory for the text of its chunk. */
const latin1: Rolldown.Plugin = {
  name: 'latin1',
  renderChunk: (code) => ({
    code: code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    map: null,
  }),
};

function copyProgram(from: string, to: string): void {
  cpSync(join(from, 'bin'), join(to, 'bin'), { recursive: true });
  for (const name of readdirSync(join(to, 'bin'))) {
    const file = join(to, 'bin', name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(ENTRY.source)) throw new Error(`${name} does not import ${ENTRY.source}`);
    writeFileSync(file, text.replace(ENTRY.source, ENTRY.built));
  }
}

/** Returns the libraries that are not bundled, with their versions in the manifests of the project. */
function versionsOf(packages: readonly Package[]): Record<string, string> {
  const all = Object.assign({}, ...packages.map(({ manifest }) => manifest.dependencies)) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => INSTALLED.has(name))
      .sort(),
  );
}
