// Runs the command line as a user does.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answered, commandRunners } from './command-runners.ts';
import { codeCache, commandModule, commandPath } from './server-process.ts';

export type CommandResult = Answered;

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

type Environment = Readonly<Record<string, string>>;

/** The environment of a command has only PATH and what the caller gives. */
const environment = (env: Environment) => ({ PATH: process.env.PATH, ...codeCache, ...env });

/** Starts a command in a process of its own. */
export function start(env: Environment, args: readonly string[], input = '', cwd = folder): RunningCommand {
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd,
    env: environment(env),
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

const runInRunner = commandRunners(commandModule, environment({}));
/** Commands that start a server, whose state would stay in the process. */
const SERVERS: readonly (string | undefined)[] = ['serve', 'dev'];
/** Variables that Node reads when it starts. */
const FOR_NODE = /^NODE_/;

/**
 * Runs a command to its end. Its process also runs the next commands, because starting a process costs more than most
 * commands do. Only what needs a process of its own gets one: servers, and settings of Node.
 */
export function run(env: Environment, args: readonly string[], input = '', cwd = folder): Promise<CommandResult> {
  if (SERVERS.includes(args[0]) || Object.keys(env).some((name) => FOR_NODE.test(name)))
    return start(env, args, input, cwd).finished;
  return runInRunner({ args, env: environment(env), input, cwd });
}
