// Makes the manual page from the tree of commands and the tables of docs/cli.md.
import type { Command } from 'commander';
import { addClientCommands } from './client-commands.ts';
import { examplesOf, ownExamplesOf } from './examples.ts';
import { createProgram } from './program.ts';

/** Number of commands with the same option from which on the page describes it in one place. */
const COMMON = 10;

/** Returns the program with all commands. */
export function wholeProgram(): Command {
  const program = createProgram(false);
  addClientCommands(program);
  return program;
}

/**
 * Returns the manual page in the format of `man`.
 * @param guide the text of docs/cli.md, whose tables have the exit codes and variables
 */
export function manPage(version: string, guide: string): string {
  const program = wholeProgram();
  const common = commonOptions(program);
  const lines = [
    `.TH SEALPOST 1 "" "sealpost ${version}" "Sealpost"`,
    '.SH NAME',
    'sealpost \\- run a server for personal messaging, and be its client',
    '.SH SYNOPSIS',
    '.B sealpost',
    '.I command',
    '[options] [arguments]',
    '.SH DESCRIPTION',
    text(program.description()),
    'Every command has',
    '.BR \\-\\-help .',
    '.SH COMMANDS',
    ...program.commands.filter(isShown).flatMap((command) => commandLines(command, 'sealpost', common)),
    '.SH COMMON OPTIONS',
    ...definitions([...common]),
    '.SH EXIT STATUS',
    ...definitions(rowsOf(guide, '| Exit code | Meaning |')),
    '.SH ENVIRONMENT',
    ...definitions(rowsOf(guide, '| Variable | Meaning |')),
  ];
  return `${lines.join('\n')}\n`;
}

const isShown = (command: Command): boolean =>
  command.name() !== 'help' && command.parent?.createHelp().visibleCommands(command.parent).includes(command) === true;

type Row = readonly [term: string, meaning: string];

/** Returns the options that many commands have, each with the meaning that it has in most of them. */
function commonOptions(program: Command): ReadonlyMap<string, string> {
  const uses = Map.groupBy(commandsIn(program).flatMap(optionsOf), (row) => row.join('\n'));
  const common = new Map<string, string>();
  for (const [first, ...others] of [...uses.values()].sort((a, b) => b.length - a.length))
    if (first && others.length + 1 >= COMMON && !common.has(first[0])) common.set(...first);
  return common;
}

const commandsIn = (command: Command): Command[] =>
  command.commands.filter(isShown).flatMap((child) => [child, ...commandsIn(child)]);

function optionsOf(command: Command): Row[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return options.map((option) => [help.optionTerm(option), help.optionDescription(option)]);
}

function commandLines(command: Command, parent: string, common: ReadonlyMap<string, string>): string[] {
  const help = command.createHelp();
  const path = `${parent} ${command.name()}`;
  const children = command.commands.filter(isShown);
  const usage = children.length > 0 ? 'command' : command.usage();
  const args = help.visibleArguments(command).filter(({ description }) => description !== '');
  const options = optionsOf(command);
  const own = options.filter(([flags, meaning]) => common.get(flags) !== meaning);
  const shared = options.filter((row) => !own.includes(row)).map(([flags]) => flags);
  return [
    `.SS ${text(path)} ${text(usage)}`,
    text(sentence(command.description())),
    ...definitions(args.map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)])),
    ...definitions(own),
    ...(shared.length > 0 ? ['.PP', text(`Common options: ${shared.join(', ')}.`)] : []),
    ...literal(textAfter(command)),
    ...children.flatMap((child) => commandLines(child, path, common)),
  ];
}

const sentence = (description: string): string =>
  `${description.charAt(0).toUpperCase()}${description.slice(1)}.`.replace(/\.\.$/, '.');

const definitions = (rows: readonly Row[]): string[] =>
  rows.flatMap(([term, meaning]) => ['.TP', `.B ${text(term)}`, text(meaning) || '\\&']);

/** Returns the notes and examples that the help of a command shows after the options, without those of subcommands. */
function textAfter(command: Command): string {
  let printed = '';
  const { writeOut } = command.configureOutput();
  command.configureOutput({
    writeOut: (part) => {
      printed += part;
    },
  });
  command.outputHelp();
  command.configureOutput(writeOut ? { writeOut } : {});
  return printed
    .slice(command.helpInformation().length)
    .replace(examplesOf(command), () => ownExamplesOf(command))
    .trim();
}

const literal = (block: string): string[] =>
  block === '' ? [] : ['.PP', '.nf', ...block.split('\n').map(text), '.fi'];

/** Returns a text in which all characters with a meaning for `man` are escaped. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** Returns the rows of the table that begins with this head line. Marks of code and links are removed. */
function rowsOf(page: string, head: string): [string, string][] {
  const [, behind] = page.split(`${head}\n|---|---|\n`);
  if (behind === undefined) throw new Error(`docs/cli.md has no table ${head}`);
  const [table = ''] = behind.split('\n\n');
  return table.split('\n').map((row) => {
    const [, term = '', meaning = ''] = row.split(' | ').length > 1 ? (/^\| (.*?) \| (.*) \|$/.exec(row) ?? []) : [];
    return [plainText(term), plainText(meaning)];
  });
}

const plainText = (cell: string): string => cell.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
