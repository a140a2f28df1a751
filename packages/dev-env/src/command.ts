// Runs the command line in a process of its own, as a user does.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeCache, commandPath } from './server-process.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  /**
   * Waits until standard output, or standard error if `stream` says so, matches the pattern. Returns the whole output
   * so far.
   */
  until(pattern: RegExp, stream?: 'out' | 'err'): Promise<string>;
  readonly finished: Promise<CommandResult>;
}

/** How long to wait for output before the test fails, in milliseconds. */
const PATIENCE_MS = 120_000;
const POLL_MS = 20;

// Commands run in an empty folder, because the folder of the project may have the data of a server that somebody ran
// there.
const folder = mkdtempSync(join(tmpdir(), 'sealpost-command-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Starts a command. The environment of the command has only PATH and what the caller gives. */
export function start(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
  cwd = folder,
): RunningCommand {
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...codeCache, ...env },
  });
  const seen = { out: '', err: '' };
  child.stdout.on('data', (part) => (seen.out += part));
  child.stderr.on('data', (part) => (seen.err += part));
  child.stdin.end(input);
  const finished = new Promise<CommandResult>((resolve) => child.once('close', (code) => resolve({ code, ...seen })));
  return {
    child,
    finished,
    async until(pattern, stream = 'out') {
      const deadline = Date.now() + PATIENCE_MS;
      while (!pattern.test(seen[stream])) {
        assert.ok(Date.now() < deadline && child.exitCode === null, `no ${pattern} in:\n${seen.out}\n${seen.err}`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return seen[stream];
    },
  };
}

export const run = (
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input?: string,
  cwd?: string,
): Promise<CommandResult> => start(env, args, input, cwd).finished;
