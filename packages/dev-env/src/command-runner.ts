// Runs commands of a program one after another in this process, because starting a process costs more than most commands
// do. `command-runners.ts` starts this process with the path of the program, and sends the commands as messages.
//
// A command counts as ended when nothing but the parent process keeps this process alive. So an ended command has left no
// timer, no connection and no unread file behind. Everything else that could disturb the next command is removed.
import { globalAgent } from 'node:http';
import { globalAgent as secureAgent } from 'node:https';
import { Readable } from 'node:stream';
import type { Answered, Asked, Program } from './command-runners.ts';

/** The exit code of Node if a program awaits something that can no longer happen. */
const NEVER_SETTLED = 13;
/** The key under which Node keeps the connections of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

const [, , path = ''] = process.argv;
const program: Promise<Program> = import(path);
const printed = { out: '', err: '' };
const command: { running: boolean; code?: number } = { running: false };

function keep(stream: 'out' | 'err') {
  return (text: string | Uint8Array, ...[encoding, callback]: readonly unknown[]): boolean => {
    printed[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
    const written = typeof encoding === 'function' ? encoding : callback;
    if (typeof written === 'function') process.nextTick(() => written());
    return true;
  };
}
process.stdout.write = keep('out');
process.stderr.write = keep('err');

/** Sets the environment, the folder and the standard input of a command. */
function prepare({ env, input, cwd }: Asked): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [Buffer.from(input)]) });
}

const emitters = [process, process.stdout, process.stderr];
/** Returns all listeners of the process and of its output streams, by emitter and event. */
const listeners = () =>
  emitters.map((emitter) => new Map(emitter.eventNames().map((name) => [name, new Set(emitter.rawListeners(name))])));
let known = listeners();

/** Removes what the last command left behind: listeners, its exit code, and open connections. */
function tidy(): void {
  for (const [at, events] of listeners().entries()) {
    for (const [name, all] of events) {
      for (const listener of all) {
        if (!known[at]?.get(name)?.has(listener)) Reflect.apply(process.removeListener, emitters[at], [name, listener]);
      }
    }
  }
  process.exitCode = undefined;
  globalAgent.destroy();
  secureAgent.destroy();
  const dispatcher = Reflect.get(globalThis, DISPATCHER);
  if (dispatcher === undefined) return;
  Reflect.set(globalThis, DISPATCHER, new dispatcher.constructor());
  dispatcher.destroy();
}

process.on('message', (asked: Asked) => {
  Object.assign(printed, { out: '', err: '' });
  prepare(asked);
  command.running = true;
  delete command.code;
  // From now on, only the command keeps the process alive.
  process.channel?.unref();
  void program
    .then(({ run }) => run(asked.args))
    .then((code) => {
      command.code = code;
    });
});
process.on('beforeExit', () => {
  if (!command.running) return;
  command.running = false;
  tidy();
  const answered: Answered = { code: command.code ?? NEVER_SETTLED, ...printed };
  process.channel?.ref();
  process.send?.(answered);
});
// The process that sent the commands is gone, so nobody waits for an answer.
process.on('disconnect', () => process.exit());
known = listeners();
