// The commands that run or manage the server process. This file and maintenance.ts may import the server, and they do so
// only when one of their commands runs.
import type { Command } from 'commander';
import { clientVariables } from '../client-variables.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { createOutput } from '../output.ts';

const SETTINGS_NOTE =
  '\nEvery setting is a flag, a variable SEALPOST_… or a line of sealpost.yaml (or of the file that --config\nnames): --port is SEALPOST_PORT is port.\n"sealpost config" prints each value and where it comes from.';

export function addServerCommands(program: Command): void {
  withFlags(program.command('serve'))
    .description('run a server with safe defaults and without sample accounts')
    .addHelpText('after', SETTINGS_NOTE)
    .action(serve);
  withFlags(program.command('dev'))
    .description('run a server to try things on: this machine only, with accounts alice, bob and carol')
    .addHelpText('after', SETTINGS_NOTE)
    .action(dev);
  withFlags(program.command('config'))
    .description("print the server's settings and where each value comes from, and refuse what a start would refuse")
    .addHelpText('after', `${SETTINGS_NOTE}\n--dev explains the settings of "sealpost dev".`)
    .action(explain);
}

const withFlags = (command: Command): Command =>
  command.allowUnknownOption().argument('[flags...]', 'settings, as --name value');

async function serve(words: readonly string[]): Promise<void> {
  await withServer(({ runServer, settings }) => {
    refuseFlagsOfNpm(settings, words);
    const { config, ...flags } = flagsOf(words);
    return runServer(flags, fileOf(config));
  });
}

/** Starts a server for developers, with the workbench. */
async function dev(words: readonly string[]): Promise<void> {
  await withServer(async ({ settings }) => {
    refuseFlagsOfNpm([...settings, ...devFlags], words);
    const { config, clock, seed, population, ...others } = flagsOf(words);
    const { 'population-seed': populationSeed, 'population-rate': rate, ...flags } = others;
    const file = fileOf(config);
    const { runDev } = await import('@sealpost/testing/dev');
    await runDev({
      flags,
      ...(file !== undefined && { file }),
      ...(clock !== undefined && { clock: clockOf(clock) }),
      ...(seed !== undefined && { seed: wholeNumber('--seed', seed) }),
      ...populationOf(population, populationSeed, rate),
    });
  });
}

/** Returns the options for simulated people on the server, with a function that shows the progress of creating them. */
function populationOf(people?: string | true, seed?: string | true, rate?: string | true) {
  if (people === undefined) {
    if (seed === undefined && rate === undefined) return {};
    throw new CliError('--population-seed and --population-rate go with --population.', exitCodes.usage);
  }
  return {
    population: {
      ...(people !== true && { people: wholeNumber('--population', people) }),
      ...(seed !== undefined && { seed: wholeNumber('--population-seed', seed) }),
      ...(rate !== undefined && { rate: wholeNumber('--population-rate', rate) }),
      onProgress: showProgress,
      onError: (error: unknown) => note(`The population: ${error instanceof Error ? error.message : String(error)}`),
    },
  };
}

const { note } = createOutput({});

/** Prints that simulated people are being created. On a terminal, also shows the progress. */
function showProgress(done: number, all: number): void {
  if (done === 0) note('Making people and their history. This happens once for a data folder.');
  else if (process.stderr.isTTY)
    process.stderr.write(`\r${Math.round((done / all) * 100)}%${done === all ? '\n' : ''}`);
}

/** The flags of `dev` that are not settings of the server. */
const devFlags = ['clock', 'seed', 'population', 'population-seed', 'population-rate'].map((name) => ({ name }));

function clockOf(given: string | true): 'real' | 'virtual' {
  if (given === 'real' || given === 'virtual') return given;
  throw new CliError(`--clock can be real or virtual, not ${JSON.stringify(given)}.`, exitCodes.usage);
}

function wholeNumber(flag: string, given: string | true): number {
  if (given !== true && /^\d{1,15}$/.test(given)) return Number(given);
  throw new CliError(`${flag} needs a whole number, not ${JSON.stringify(given)}.`, exitCodes.usage);
}

async function explain(words: readonly string[]): Promise<void> {
  // Loaded only here, because a server runs for a long time and does not need it.
  const { table } = await import('../table.ts');
  const { json, dev, config, ...flags } = flagsOf(words);
  const mode = dev === undefined ? 'serve' : 'dev';
  const file = fileOf(config);
  const sources = { flags, env: process.env, ...(file === undefined ? {} : { file }) };
  await withServer(({ loadConfig, settingValues, shownValue }) => {
    const settings = settingValues(mode, sources).map((given) => ({ ...given, value: shownValue(given) }));
    const rows = settings.map(({ name, value, source, doc, values }) => [
      name,
      value,
      source,
      values ? `${doc} (${values.join(', ')})` : doc,
    ]);
    createOutput({ json: json !== undefined }).print(table(['SETTING', 'VALUE', 'FROM', 'MEANING'], rows), settings);
    // `loadConfig` refuses what a start of the server would refuse, so that a settings file can be checked before a
    // restart.
    loadConfig(mode, sources);
  });
}

/**
 * Throws if npm kept a flag for itself. With `npm start --port 9000`, npm keeps `--port`, and the server would start
 * with its default port.
 */
function refuseFlagsOfNpm(settings: readonly { readonly name: string }[], words: readonly string[]): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const taken = [...settings.map(({ name }) => name), 'config'].filter((name) => npmFlag(name) !== undefined);
  if (taken.length === 0) return;
  const values = taken.map((name) => (npmFlag(name) === 'true' ? undefined : npmFlag(name)));
  // When npm keeps a flag, npm still passes on the flag's value as a word.
  const value = taken.length === 1 ? words[0] : undefined;
  const flags = taken.map((name, i) => `--${name} ${values[i] ?? value ?? '<value>'}`);
  throw new CliError(
    `npm kept ${taken.map((name) => `--${name}`).join(', ')} for itself. Give flags to the server after two dashes: npm start -- ${flags.join(' ')}`,
    exitCodes.usage,
  );
}

const npmFlag = (name: string): string | undefined =>
  process.env[`npm_config_${name.replaceAll('-', '_')}`] || undefined;

export function fileOf(config: string | true | undefined): string | undefined {
  if (config === true) throw new CliError('--config needs the path of a file.', exitCodes.usage);
  return config;
}

/**
 * Loads the server and calls `work` with it. A bad setting is reported as wrong usage, even if a variable or the
 * settings file has it.
 */
async function withServer<T>(work: (server: typeof import('@sealpost/server')) => T | Promise<T>): Promise<T> {
  for (const name of clientVariables) delete process.env[name];
  const server = await import('@sealpost/server');
  try {
    return await work(server);
  } catch (error) {
    throw error instanceof server.ConfigError ? new CliError(error.message, exitCodes.usage) : error;
  }
}

/** Reads `--name value`, `--name=value`, and `--name` alone, which means true. */
export function flagsOf(words: readonly string[]): Record<string, string | true> {
  const flags: Record<string, string | true> = {};
  for (let at = 0; at < words.length; at++) {
    const [, name, value] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (name === undefined)
      throw new CliError(`"${words[at]}" is not a flag: settings look like --port 9000.`, exitCodes.usage);
    const next = words[at + 1];
    if (value !== undefined) flags[name] = value;
    else if (next !== undefined && !next.startsWith('--')) flags[name] = words[++at] ?? '';
    else flags[name] = true;
  }
  return flags;
}
