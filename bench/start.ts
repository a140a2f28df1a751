// `node bench/start.ts [--rounds n] [command ...]`: measures warm starts of `sealpost dev`: the time until /readyz
// answers, and the resident memory after five seconds of rest. Commands are paths of `sealpost.js`. Without commands,
// it compares the sources with the package, which it packs and installs first.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '@sealpost/dev-env/program-options';
import { packAll } from '../scripts/packaging/pack.ts';
import { stop } from './pinned-process.ts';
import { cpuSeconds, residentKib } from './process-usage.ts';
import { median } from './statistics.ts';

const root = path.join(import.meta.dirname, '..');
const SOURCES = path.join(root, 'packages/cli/bin/sealpost.js');
const REST_MS = 5000;
const POLL_MS = 2;
const PATIENCE_MS = 30_000;

interface Start {
  readonly ms: number;
  /**
   * Processor time until the server was ready. In contrast to the elapsed time, it is also useful on a busy machine.
   */
  readonly cpuMs: number;
  readonly mib: number;
}

/** Returns the HTTP status of /readyz; undefined while no server listens. */
const statusOf = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`the server ended at its start with code ${child.exitCode}`);
    if ((await statusOf(port)) === 200) return;
  }
  throw new Error('the server did not become ready');
}

/**
 * Starts the server in a folder with its data and its cache of compiled code, and measures the start. The file of the
 * command is executed directly, like in a shell, so that the flags in its first line take effect.
 */
async function measureStart(command: string, folder: string, restMs: number): Promise<Start> {
  const port = await freePort();
  const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache'), NODE_COMPILE_CACHE: '' };
  const begun = performance.now();
  const child = spawn(command, ['dev', '--port', String(port)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(child, port);
  const ms = performance.now() - begun;
  const cpuMs = cpuSeconds(child.pid ?? 0) * 1000;
  await pause(restMs);
  const mib = residentKib(child.pid ?? 0) / 1024;
  await stop(child, 'SIGTERM');
  return { ms, cpuMs, mib };
}

/** Measures the commands alternately, so that a busy moment of the machine affects all of them. */
async function measure(commands: readonly string[], rounds: number): Promise<void> {
  const starts = new Map<string, Start[]>(commands.map((command) => [command, []]));
  const folders = new Map(commands.map((command) => [command, mkdtempSync(path.join(tmpdir(), 'sealpost-start-'))]));
  // The first start creates the accounts and compiles the code, so it does not count.
  for (const [command, folder] of folders) await measureStart(command, folder, 0);
  for (let round = 0; round < rounds; round += 1)
    for (const [command, folder] of folders) starts.get(command)?.push(await measureStart(command, folder, REST_MS));
  for (const folder of folders.values()) rmSync(folder, { recursive: true });
  for (const [command, measured] of starts) {
    const list = (values: readonly number[]): string =>
      `${Math.round(median(values))} (${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))})`;
    console.log(command);
    console.log(
      `  ready after ${list(measured.map(({ ms }) => ms))} ms, ${list(measured.map(({ cpuMs }) => cpuMs))} ms of processor time`,
    );
    console.log(`  at rest ${list(measured.map(({ mib }) => mib))} MiB`);
  }
}

/** Packs the command, installs it in the usual way, and returns its path. */
async function installPackage(folder: string): Promise<string> {
  const tarballs = await packAll(root, folder, { onlyCommand: true });
  const args = ['install', '--global', '--prefix', folder, ...tarballs.map(({ file }) => file)];
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts'], { stdio: 'pipe' });
  return path.join(folder, 'bin/sealpost');
}

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});
const installed = mkdtempSync(path.join(tmpdir(), 'sealpost-installed-'));
try {
  const given = positionals.map((one) => path.resolve(one));
  const commands = given.length > 0 ? given : [SOURCES, await installPackage(installed)];
  await measure(commands, Number(values.rounds));
} finally {
  rmSync(installed, { recursive: true });
}
