// Runs commands in a process, as a user does.
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
   * Waits until standard output matches the pattern, or standard error if `stream` is `err`. Returns the whole output
   * so far.
   */
  until(pattern: RegExp, stream?: 'out' | 'err'): Promise<string>;
  readonly finished: Promise<CommandResult>;
}

/** Milliseconds after which the test fails if the expected output does not come. */
const PATIENCE_MS = 120_000;
const POLL_MS = 20;

// Commands run in an empty folder. The folder of the project may contain data of a server that somebody started there.
const folder = mkdtempSync(join(tmpdir(), 'sealpost-command-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

/** Returns the environment of a command: only PATH, the code cache and the given variables. */
const environment = (env: Environment) => ({ PATH: process.env.PATH, ...codeCache, ...env });

/** Starts a command in a new process. */
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
/** Commands that start a server. They need a new process, because a server would leave its state in a reused one. */
const SERVERS: readonly (string | undefined)[] = ['serve', 'dev'];
/** Matches variables that Node reads when it starts. */
const FOR_NODE = /^NODE_/;

/**
 * Runs a command to its end, in a process that is reused for later commands. Starting a process costs more than most
 * commands do. Commands that start a server or set variables of Node get a new process.
 */
export function run(env: Environment, args: readonly string[], input = '', cwd = folder): Promise<CommandResult> {
  if (SERVERS.includes(args[0]) || Object.keys(env).some((name) => FOR_NODE.test(name)))
    return start(env, args, input, cwd).finished;
  return runInRunner({ args, env: environment(env), input, cwd });
}
