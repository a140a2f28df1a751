// Asks questions on the terminal. They are printed on standard error, so that they do not mix with a piped result. The
// library for prompts is loaded only when a question is asked.
import type { Readable, Writable } from 'node:stream';
import { CliError, exitCodes } from './exit-codes.ts';

/** The streams that prompts read from and write to. */
interface Screen {
  readonly input: Readable;
  readonly output: Writable;
}

const screen: Screen = { input: process.stdin, output: process.stderr };
/** Options for prompts: plain lines without a frame around them. */
const look = { ...screen, withGuide: false };

/** Asks a question and returns what the user types. */
export async function ask(message: string): Promise<string> {
  const { text } = await import('@clack/prompts');
  const answer = await whileOpen(screen.input, (signal) => text({ ...look, message, signal }));
  return answered(answer).trim();
}

/** Asks for a password or passphrase. Nothing of what is typed is shown, not even how long it is. */
export async function askHidden(message: string, on = screen): Promise<string> {
  const { password } = await import('@clack/prompts');
  return answered(await whileOpen(on.input, (signal) => password({ ...look, ...on, message, mask: '', signal })));
}

/**
 * Asks a question, and returns whether the answer is yes.
 * @param otherwise what the user must do if there is no terminal to ask on
 * @param explain prints what a yes does; called only if there is a terminal
 */
export async function confirmed(message: string, otherwise: string, explain = () => {}): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CliError(`This is not a terminal, so nobody can be asked: ${otherwise}.`, exitCodes.usage);
  explain();
  const { confirm } = await import('@clack/prompts');
  const question = { ...look, message, initialValue: false };
  return answered(await whileOpen(screen.input, (signal) => confirm({ ...question, signal })));
}

/**
 * Shows a prompt, and cancels it at Ctrl-D or when the input ends. Without this, the prompt would wait for ever, and Node
 * would end the command with a warning about its code.
 */
async function whileOpen<T>(input: Readable, prompt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }): void => {
    if (key.ctrl && key.name === 'd') end();
  };
  if (input.readableEnded) end();
  input.once('end', end).on('keypress', onKey);
  try {
    return await prompt(stop.signal);
  } finally {
    input.off('end', end).off('keypress', onKey);
  }
}

/**
 * Returns the answer; throws if the user pressed Ctrl-C or Ctrl-D instead. Some prompts return undefined for an empty
 * answer.
 */
function answered(answer: string | undefined | symbol): string;
function answered(answer: boolean | symbol): boolean;
function answered(answer: string | boolean | undefined | symbol): string | boolean {
  if (typeof answer === 'symbol') throw new CliError('Stopped: the question was not answered.');
  return answer ?? '';
}
