// Builds the web client after `npm ci`. An installation without development tools has no Vite, so nothing is built
// there; the server then starts without the web client and says so. This file is JavaScript, because an older Node may
// run it.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function hasVite() {
  try {
    createRequire(`${root}packages/web/package.json`).resolve('vite/package.json');
    return true;
  } catch {
    return false;
  }
}

if (hasVite()) {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('run this as `npm run prepare`');
  const args = [npm, 'run', 'build', '--workspace', 'packages/web', '--if-present'];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
