// Builds all packages and makes their tarballs, like `npm pack`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildCommand } from './command.ts';
import { buildLibraries } from './libraries.ts';
import { type Package, publishedManifest, publishedPackages } from './published.ts';

export interface Tarball {
  /** The name of the package. */
  readonly name: string;
  /** The absolute path of the tarball. */
  readonly file: string;
}

export interface PackOptions {
  /** The version of all packages; by default, the version in the repository. */
  readonly version?: string;
  /** True if only the package with the command is packed, which is much faster. */
  readonly onlyCommand?: boolean;
}

/** Builds and packs the packages of a repository into a folder. */
export async function packAll(root: string, folder: string, options: PackOptions = {}): Promise<Tarball[]> {
  const packages = publishedPackages(root);
  const libraries = packages.filter(({ manifest }) => !manifest.bin);
  const commands = packages.filter(({ manifest }) => manifest.bin);
  const chosen = options.onlyCommand ? commands : packages;
  const staging = mkdtempSync(join(tmpdir(), 'sealpost-pack-'));
  try {
    if (!options.onlyCommand) await buildLibraries(root, libraries, staging);
    for (const one of chosen) {
      const place = join(staging, one.folder);
      const version = options.version ?? one.manifest.version;
      const manifest = publishedManifest(one, version);
      const bundled = one.manifest.bin && (await buildCommand(root, one, packages, { folder: place, version }));
      const written = { ...manifest, ...(bundled && { dependencies: bundled }) };
      writeFileSync(join(place, 'package.json'), `${JSON.stringify(written, undefined, 2)}\n`);
      cpSync(join(root, 'LICENSE'), join(place, 'LICENSE'));
      writeFileSync(join(place, 'README.md'), readmeOf(one));
    }
    return pack(staging, chosen, folder);
  } finally {
    rmSync(staging, { recursive: true });
  }
}

const readmeOf = ({ manifest }: Package): string =>
  `# ${manifest.name}\n\n${manifest.description}\n\nA part of Sealpost, an open, self-hosted server for personal messaging.\n`;

function pack(staging: string, packages: readonly Package[], folder: string): Tarball[] {
  mkdirSync(folder, { recursive: true });
  const places = packages.map((one) => `./${one.folder}`);
  const args = ['pack', ...places, '--json', '--offline', '--ignore-scripts', '--pack-destination', resolve(folder)];
  const printed = execFileSync('npm', args, { cwd: staging, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const packed = JSON.parse(printed) as { name: string; filename: string }[];
  return packed.map(({ name, filename }) => ({ name, file: resolve(folder, filename) }));
}
