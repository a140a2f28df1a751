// Makes the Debian package: the installation below /usr, the unit, the settings, and the scripts that dpkg runs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { LIBRARY, type PackedSource, writeLauncher } from './layout.ts';
import { linkFolder, setModes } from './reproducible.ts';

/** Each file of `deploy/debian`, with its place in the package. */
const FILES = {
  'sealpost.yaml': 'etc/sealpost/sealpost.yaml',
  'sealpost.service': 'usr/lib/systemd/system/sealpost.service',
  'lintian-overrides': 'usr/share/lintian/overrides/sealpost',
};
const SCRIPTS = ['postinst', 'prerm', 'postrm'];

/** Returns the version as Debian sorts it: 1.0.0~rc.1 is older than 1.0.0. */
export const debianVersion = (version: string): string => version.replace('-', '~');

/**
 * Writes a Debian package from the files below a prefix. Returns its path.
 * @param compression flags of dpkg-deb
 */
export function writeDebianPackage(
  { root, command, time }: PackedSource,
  { name }: Architecture,
  prefix: string,
  folder: string,
  compression: readonly string[],
): string {
  const from = join(root, 'deploy/debian');
  const version = debianVersion(command.version);
  const staged = `${prefix}-debian`;
  try {
    mkdirSync(staged);
    linkFolder(prefix, join(staged, 'usr'));
    writeLauncher(join(staged, 'usr'), `/usr/${LIBRARY}`);
    for (const [file, place] of Object.entries(FILES)) {
      mkdirSync(dirname(join(staged, place)), { recursive: true });
      cpSync(join(from, file), join(staged, place));
    }
    setModes(staged);
    writeControl(staged, from, { version, architecture: name });
    const file = join(folder, `sealpost_${version}_${name}.deb`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', staged, file], { env, stdio: 'pipe' });
    return file;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Writes the folder DEBIAN, with what dpkg must know about the package. */
function writeControl(staged: string, from: string, about: { version: string; architecture: string }): void {
  const files = readdirSync(staged, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const control = join(staged, 'DEBIAN');
  mkdirSync(control);
  const sizes = files.map((file) => Math.ceil(statSync(file).size / 1024));
  writeFileSync(
    join(control, 'control'),
    controlText(
      about,
      sizes.reduce((sum, size) => sum + size, 0),
    ),
  );
  writeFileSync(join(control, 'conffiles'), `/${FILES['sealpost.yaml']}\n`);
  const sums = files.map((file) => [file.slice(staged.length + 1), md5(file)] as const);
  const lines = sums.filter(([path]) => !path.startsWith('etc/')).map(([path, sum]) => `${sum}  ${path}\n`);
  writeFileSync(join(control, 'md5sums'), lines.join(''));
  setModes(control);
  for (const script of SCRIPTS) {
    cpSync(join(from, script), join(control, script));
    chmodSync(join(control, script), 0o755);
  }
}

/** Returns the sum by which dpkg notices damaged files. It protects against nobody. */
const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex');

const controlText = ({ version, architecture }: { version: string; architecture: string }, kib: number): string =>
  `Package: sealpost
Version: ${version}
Architecture: ${architecture}
Maintainer: The authors of Sealpost <packages@sealpost.invalid>
Installed-Size: ${kib}
Depends: adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9)
Section: net
Priority: optional
Description: server for a personal messaging gateway
 Sealpost is an open, self-hosted server for a gateway protocol of personal
 messaging. It serves accounts, chats, messages, media and a web client from
 one process, with an embedded database or with PostgreSQL.
 .
 The package contains the server, its command line and the Node that runs
 them. It starts a server on 127.0.0.1:8787.
`;
