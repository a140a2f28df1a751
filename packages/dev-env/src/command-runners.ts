// Runs commands of a program in processes that are used for many commands: `command-runner.ts`. There are as many
// processes as commands run at the same time.
import { type ChildProcess, fork } from 'node:child_process';

/** The module of a program that a runner process loads. */
export interface Program {
  run(args: readonly string[]): Promise<number>;
}

/** A command that a runner process is to run. */
export interface Asked {
  readonly args: readonly string[];
  /** All environment variables of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The standard input of the command. */
  readonly input: string;
  /** The folder in which the command runs. */
  readonly cwd: string;
}

/** The exit code of a command, and its output. */
export interface Answered {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Returns a function that runs commands of a program.
 * @param program the path of the program's module, which exports `run`
 * @param env the environment with which the runner processes start
 */
export function commandRunners(program: string, env: Asked['env']): (asked: Asked) => Promise<Answered> {
  const idle: ChildProcess[] = [];
  const begin = () => {
    const path = new URL('./command-runner.ts', import.meta.url);
    return fork(path, [program], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  };
  return async (asked) => {
    const runner = idle.pop() ?? begin();
    runner.ref();
    runner.channel?.ref();
    const answered = await answerOf(runner, asked);
    // An idle runner process does not keep the process of the tests alive, and ends with it.
    runner.unref();
    runner.channel?.unref();
    idle.push(runner);
    return answered;
  };
}

function answerOf(runner: ChildProcess, asked: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`${asked.args.join(' ')} ended the process that ran it, with exit code ${code}`));
    runner.once('exit', onExit);
    runner.once('message', (answered: Answered) => {
      runner.off('exit', onExit);
      resolve(answered);
    });
    runner.send(asked);
  });
}
