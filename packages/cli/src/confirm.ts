// Questions on the terminal.
import { createInterface } from 'node:readline/promises';
import { CliError, exitCodes } from './exit-codes.ts';

/** Asks a question and returns what the user types. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/**
 * Asks a question, and returns whether the answer is yes.
 * @param otherwise what the user must do if there is no terminal to ask on
 */
export async function confirmed(question: string, otherwise: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CliError(`This is not a terminal, so nobody can be asked: ${otherwise}.`, exitCodes.usage);
  return /^y(es)?$/i.test(await ask(question));
}
