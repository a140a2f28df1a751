// Builds the folder that all artifacts contain: the command, its libraries and the Node that runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from '../command.ts';
import { type Package, publishedManifest, publishedPackages } from '../published.ts';
import { type Architecture, architectures } from './architecture.ts';
import { type LockedProject, lockedProject } from './locked-libraries.ts';

/** The command, built once for all processors. */
export interface BuiltCommand {
  /** The folder with the package of the command. */
  readonly folder: string;
  readonly version: string;
  /** The libraries that are installed beside it. */
  readonly project: LockedProject;
}

/** The path of Node inside the folder of an installation. */
export const RUNTIME = 'runtime/node';
/** How often npm is asked, because it leaves out what is optional if it cannot fetch it, and does not say so. */
const TRIES = 3;
/** Files of libraries that only compilers and debuggers read. */
const UNUSED = ['**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/*.map', '.package-lock.json', '.bin'];

/** Builds the command into a new folder below `staging`. */
export async function buildForInstallation(root: string, staging: string, version: string): Promise<BuiltCommand> {
  const packages = publishedPackages(root);
  const command = packages.find(({ manifest }) => manifest.bin);
  if (!command) throw new Error('no package of this repository has a command: see `bin` in packages/*/package.json');
  const folder = join(staging, 'command');
  const dependencies = await buildCommand(root, command, packages, { folder, version });
  writeFileSync(join(folder, 'package.json'), manifestText(command, version, dependencies));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const runtimes = architectures.map((one) => one.runtime);
  return { folder, version, project: lockedProject(root, packages, dependencies, runtimes) };
}

function manifestText(command: Package, version: string, dependencies: Readonly<Record<string, string>>): string {
  const manifest = { ...publishedManifest(command, version), dependencies };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Makes the folder of an installation for one processor. The folder must not exist. */
export function makeInstalledTree({ folder, project }: BuiltCommand, architecture: Architecture, target: string): void {
  cpSync(folder, target, { recursive: true });
  // On the same disk as the target, so that nothing is copied.
  const place = mkdtempSync(`${target}-libraries-`);
  try {
    installLibraries(place, project, architecture);
    const modules = join(place, 'node_modules');
    mkdirSync(join(target, 'runtime'));
    const runtime = join(modules, architecture.runtime);
    renameSync(join(runtime, 'bin/node'), join(target, RUNTIME));
    renameSync(join(runtime, 'LICENSE'), join(target, 'runtime/LICENSE'));
    rmSync(runtime, { recursive: true });
    for (const path of globSync(UNUSED, { cwd: modules })) rmSync(join(modules, path), { recursive: true });
    renameSync(modules, join(target, 'node_modules'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Installs exactly what the lockfile names. npm compares each package with its hash there. */
function installLibraries(place: string, project: LockedProject, { cpu }: Architecture): void {
  writeFileSync(join(place, 'package.json'), JSON.stringify(project.manifest));
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(project.lockfile));
  const system = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--fetch-timeout=120000',
    '--fetch-retries=5',
  ];
  // Without the settings that an outer npm gives to its child processes, but with the certificates to trust.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_(?!EXTRA_CA_CERTS$)/.test(name)),
  );
  let missing: readonly string[] = [];
  for (let tries = 0; tries === 0 || (missing.length > 0 && tries < TRIES); tries++) {
    execFileSync('npm', ['ci', ...system, ...flags], { cwd: place, env, stdio: ['ignore', 'ignore', 'pipe'] });
    missing = [...project.installed(cpu)]
      .filter(([path]) => !existsSync(join(place, path)))
      .map(([path, version]) => `${path.replace('node_modules/', '')}@${version}`);
  }
  if (missing.length > 0) throw new Error(`npm did not install ${missing.join(', ')} for linux and ${cpu}. Try again.`);
}
