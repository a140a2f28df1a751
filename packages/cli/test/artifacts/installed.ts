// Uses an installed command as an operator and two people do: starts the server, makes accounts, sends and reads.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@sealpost/dev-env/until';

type Environment = Readonly<Record<string, string>>;

/** A way to run the command of an artifact. */
export interface Installed {
  /** Returns the words of a command line that runs the installed command with these variables and arguments. */
  words(env: Environment, args: readonly string[]): readonly string[];
  /** Variables with which commands find the server and keep logins. */
  readonly env: Environment;
  /** The data folder of the server, as the test sees it. */
  readonly dataDir: string;
}

export interface RunningServer {
  /** Everything that the server has printed. */
  log(): string;
  /** Ends the server by a signal. Returns its exit code, or the signal if it did not exit by itself. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals | null>;
}

/** Runs the installed command to its end. Returns what it printed. */
export function use({ words, env }: Installed, args: readonly string[], input = ''): string {
  const [program = '', ...rest] = words(env, args);
  const { status, stdout, stderr } = spawnSync(program, rest, { input, encoding: 'utf8' });
  assert.equal(status, 0, `sealpost ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Starts a server, and waits until it accepts requests. */
export async function serve(words: readonly string[], { dataDir }: Installed): Promise<RunningServer> {
  const announced = join(dataDir, 'server.json');
  // A killed server has left its announcement behind.
  rmSync(announced, { force: true });
  const [program = '', ...args] = words;
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (log += part));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  await until(() => {
    assert.equal(child.exitCode ?? child.signalCode, null, `the server ended: ${log}`);
    return existsSync(announced);
  }, 'the server has started');
  return {
    log: () => log,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export const people = ['ann', 'bob'] as const;
const passwordOf = (userid: string): string => `${userid}-has-a-long-password`;

/** Makes accounts for two people and logs them in. */
export function meet(installed: Installed): void {
  for (const userid of people) {
    use(installed, ['account', 'create', userid, '--password-stdin'], passwordOf(userid));
    use(installed, ['login', userid, '--as', userid, '--password-stdin'], passwordOf(userid));
  }
}

/** Sends a message from one person to the other one. */
export const send = (installed: Installed, [from, to]: readonly [string, string], text: string): void => {
  assert.match(use(installed, ['send', to, text, '--as', from]), /^Sent \d+ to/);
};

/** Returns the texts of the messages that a person sees in the chat with the other one, from the oldest on. */
export const read = (installed: Installed, [who, other]: readonly [string, string]): string[] =>
  (JSON.parse(use(installed, ['history', other, '--as', who, '--json'])) as { text: string }[]).map(({ text }) => text);
