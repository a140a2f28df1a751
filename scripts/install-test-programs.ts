// `npm run test:programs`: installs from Debian the programs that tests use but npm does not offer, and the fonts of
// the screenshots. CI runs this before the tests.
import { spawnSync } from 'node:child_process';
import { commandPath, hasFonts, packagesOf } from './debian-packages.ts';
import { ARTIFACT_PROGRAMS } from './test-artifacts.ts';
import { missingForPatroni } from './test-patroni.ts';
import { hasImports } from './test-python.ts';
import { CEPH_PROGRAMS } from './test-s3.ts';

const there = {
  nats: commandPath('nats-server') !== undefined,
  chromium: packagesOf.chromium.every(commandPath),
  firefox: commandPath('firefox-esr') !== undefined || commandPath('firefox') !== undefined,
  strace: commandPath('strace') !== undefined,
  python: hasImports('python3') || hasImports('/usr/bin/python3'),
  pytest: spawnSync('/usr/bin/python3', ['-m', 'pytest', '--version']).status === 0,
  go: commandPath('go') !== undefined,
  artifacts: ARTIFACT_PROGRAMS.every(commandPath),
  s3: CEPH_PROGRAMS.every(commandPath),
  patroni: missingForPatroni().length === 0,
  fonts: hasFonts(),
};
const missing = (Object.keys(packagesOf) as (keyof typeof packagesOf)[]).filter((what) => !there[what]);
const names = missing.flatMap((what) => [...packagesOf[what]]);
if (names.length === 0) console.log('All programs that tests use are there, and the fonts of the screenshots.');
else install(names);

function install(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !commandPath('apt-get')) {
    console.error(`Only root on Debian can install ${packages.join(', ')}. Install them by other means.`);
    process.exit(1);
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status === 0) continue;
    console.error(`apt-get ${args[0]} ended with ${status}.`);
    process.exit(1);
  }
  console.log(`Installed from Debian: ${packages.join(', ')}`);
}
