// The examples that the help of commands shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { examples, examplesOf } from '../src/examples.ts';
import { wholeProgram } from '../src/man-page.ts';

const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Returns the words after `sealpost` up to the next program or file, without quotes. */
function wordsOf(example: string): string[] {
  const [, call = ''] = /sealpost (.*?)(?:\)? {2}|\)$| [|<>] |$)/.exec(example) ?? [];
  return [...call.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

test('the help of every command has examples', () => {
  const without = allCommands(wholeProgram())
    .slice(1)
    .filter((command) => examplesOf(command) === '')
    .map(pathOf);
  assert.deepEqual(without, []);
});

test('every example is accepted by the command that it calls', () => {
  const program = wholeProgram();
  let called = 0;
  for (const command of allCommands(program)) command.action(() => void called++);
  const refused: string[] = [];
  for (const example of examples) {
    const before = called;
    try {
      program.parse(wordsOf(example), { from: 'user' });
      if (called !== before + 1) refused.push(`${example}: nothing is called`);
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      refused.push(`${example}: ${error.message}`);
    }
  }
  assert.deepEqual(refused, []);
});

test('the help of a command shows the examples that call it, and nothing of other commands', () => {
  const program = wholeProgram();
  const [remove] = allCommands(program).filter((command) => pathOf(command) === 'sealpost admin remove');
  assert.ok(remove);
  let printed = '';
  remove.configureOutput({ writeOut: (text) => (printed += text) });
  remove.outputHelp();
  assert.ok(printed.endsWith('\n\nExamples:\n  $ sealpost admin remove maya\n'), printed);
});
