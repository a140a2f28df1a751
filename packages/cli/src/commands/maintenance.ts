// The commands that work with the data of a server on this machine: backup, restore, resync, verify, move. They import the
// server only when one of them runs.
import type { Command } from 'commander';
import { clientVariables } from '../client-variables.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { bytesText, counted, createOutput, type Output, oneLine } from '../output.ts';
import { stepLine } from '../step-line.ts';
import { table } from '../table.ts';
import { fileOf, flagsOf } from './server.ts';

type Maintenance = typeof import('@sealpost/server/maintenance');
type OnProgress = import('@sealpost/server/maintenance').OnProgress;
type Sources = Parameters<Maintenance['backup']>[0]['sources'];

interface CommonOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly objectsUrl?: string;
  readonly config?: string;
}

const SETTINGS_NOTE =
  '\nThe data is found as "sealpost serve" finds it: by flags, variables SEALPOST_… and sealpost.yaml. Every setting is\na flag here too, at the end of the line. Run the command as the user of the server.';
const S3_NOTE =
  '\nA bucket is reached with the settings s3-…. If it has another server or key than the objects, give it its own:\n--backup-s3-endpoint, …-region, …-access-key, …-secret-key, or SEALPOST_BACKUP_S3_SECRET_KEY and so on.';

export function addMaintenanceCommands(program: Command): void {
  addBackup(program);
  addRestore(program);
  addResync(program);
  addVerify(program);
  addMove(program);
}

const common = (command: Command): Command =>
  command
    .allowUnknownOption()
    .argument('[flags...]', 'further settings, as --name value')
    .option('--data-dir <folder>', 'data folder of the server')
    .option('--database-url <url>', 'database of the server')
    .option('--objects-url <url>', 'objects of the server')
    .option('--config <file>', 'file with the settings of the server')
    .option('--json', 'print JSON');

function addBackup(program: Command): void {
  common(program.command('backup').argument('<place>', 'a folder, or s3://<bucket>/<prefix>'))
    .description('make a backup of a running or stopped server, secrets included')
    .option('--keep <n>', 'remove older backups until this many are left')
    .option('--trust-existing', 'do not read objects again that the place has already')
    .addHelpText(
      'after',
      `${SETTINGS_NOTE}${S3_NOTE}

The place holds any number of backups of one server. They share what is equal, so a further one needs little room.
It contains messages, keys and the admin token: keep it as secret as the server.

Exit codes: 0 the backup is whole, 1 there is none, or objects were missing at the server, 2 wrong usage or settings.`,
    )
    .action(runBackup);
}

function addRestore(program: Command): void {
  common(program.command('restore').argument('<place>', 'the place of the backups'))
    .description('restore a backup into an empty data folder, and an empty database')
    .option('--backup <id>', 'the backup, by the beginning of its id; the newest if left out')
    .option('--list', 'list the backups of the place, and restore none')
    .addHelpText(
      'after',
      `${SETTINGS_NOTE}${S3_NOTE}

The whole backup is checked first. A restore that was interrupted goes on when it is repeated.

Exit codes: 0 restored, 1 not restored, 2 wrong usage or settings.`,
    )
    .action(runRestore);
}

function addResync(program: Command): void {
  common(program.command('resync'))
    .description('make every client read everything again, after the database was set back without "restore"')
    .addHelpText(
      'after',
      `${SETTINGS_NOTE}

Stop the server, set its database back, run this, then start the server. Without it, a client that saw newer changes
would miss as many of the next ones. A repeated run does no harm.

Exit codes: 0 done, 1 nothing was changed, 2 wrong usage or settings.`,
    )
    .action(runResync);
}

function addVerify(program: Command): void {
  common(program.command('verify'))
    .description('check every rule of the data of a running or stopped server; changes nothing')
    .option('--quick', 'look for objects without reading them')
    .addHelpText(
      'after',
      `${SETTINGS_NOTE}

Exit codes: 0 the data is whole, 1 it is not, 2 wrong usage or settings.`,
    )
    .action(runVerify);
}

function addMove(program: Command): void {
  common(program.command('move'))
    .description('move a stopped server into another database: from SQLite to PostgreSQL, or back')
    .option('--to <url>', 'the new database: postgres://… or sqlite:<file>')
    .option('--objects-to <url>', 'also copy the objects: file:<folder> or s3://<bucket>/<prefix>')
    .option('--cancel', 'give up a move that is not finished, or use the old database again')
    .addHelpText(
      'after',
      `${SETTINGS_NOTE}

Sessions stay, so clients notice nothing. A move that was interrupted goes on when it is repeated. The old database
keeps its data and gets a mark, and no server starts on it by mistake.

Exit codes: 0 moved, or nothing was left to do, 1 not moved, 2 wrong usage or settings.`,
    )
    .action(runMove);
}

async function runBackup(
  place: string,
  words: readonly string[],
  options: CommonOptions & { keep?: string; trustExisting?: boolean },
): Promise<void> {
  const output = createOutput(options);
  const keep = options.keep === undefined ? undefined : positive('--keep', options.keep);
  const result = await working(options, output, place, words, ({ backup }, sources, onProgress) =>
    backup({ sources, place, keep, trustExisting: options.trustExisting, onProgress }),
  );
  const { id, objects, rows, missing, adminToken, removed } = result;
  const lines = [
    `Backup ${id} in ${result.place}: ${counted(rows, 'row')}, ${counted(objects.count, 'object')} (${bytesText(objects.bytes)}, ${objects.copied} new). ${missing.length === 0 ? 'It was read back and is whole.' : 'What was saved was read back, and it is not everything.'}`,
    `It contains messages, keys and secrets${adminToken ? ', and the admin token' : ''}: keep it as secret as the server.`,
    ...(removed.backups > 0
      ? [`Removed ${counted(removed.backups, 'older backup')} and ${counted(removed.objects, 'object')}.`]
      : []),
  ];
  output.print(lines.join('\n'), result);
  if (missing.length === 0) return;
  const [first] = missing;
  const seen = `${counted(missing.length, 'object')} of the server ${missing.length === 1 ? 'was' : 'were'}`;
  throw new CliError(
    `The backup is made, but ${seen} missing or damaged: ${first?.key} (${first?.problem})${missing.length > 1 ? ' and others' : ''}. Run \`sealpost verify\`, which tells what to do.`,
  );
}

async function runRestore(
  place: string,
  words: readonly string[],
  options: CommonOptions & { backup?: string; list?: boolean },
): Promise<void> {
  const output = createOutput(options);
  if (options.list) {
    const found = await working(options, output, place, words, ({ listBackups }, sources) =>
      listBackups({ sources, place, onUnusable: ({ message }) => output.note(oneLine(message)) }),
    );
    const rows = found.map(({ id, time, rows: count, objects, bytes }) => [
      id.slice(0, SHORT_ID),
      new Date(time).toISOString(),
      String(count),
      `${objects} (${bytesText(bytes)})`,
    ]);
    output.print(table(['BACKUP', 'TIME', 'ROWS', 'OBJECTS'], rows), found);
    return;
  }
  const result = await working(options, output, place, words, ({ restore }, sources, onProgress) =>
    restore({ sources, place, backup: options.backup, onProgress }),
  );
  const { id, time, dataDir, rows, objects, missing } = result;
  output.print(
    [
      `Restored the backup ${id.slice(0, SHORT_ID)} of ${new Date(time).toISOString()} into ${dataDir}: ${counted(rows, 'row')}, ${counted(objects.count, 'object')} (${bytesText(objects.bytes)}).`,
      ...(missing > 0
        ? [`${counted(missing, 'object')} ${missing === 1 ? 'was' : 'were'} missing when the backup was made.`]
        : []),
      'Start the server. Clients go on with their logins, and read everything again once.',
    ].join('\n'),
    result,
  );
}

async function runResync(words: readonly string[], options: CommonOptions): Promise<void> {
  const output = createOutput(options);
  const result = await working(options, output, undefined, words, ({ resync }, sources) => resync({ sources }));
  output.print(
    `Start the server. The clients of ${counted(result.accounts, 'account')} go on with their logins, and read everything again once.`,
    result,
  );
}

const SHORT_ID = 16;

async function runVerify(words: readonly string[], options: CommonOptions & { quick?: boolean }): Promise<void> {
  const output = createOutput(options);
  const result = await working(options, output, undefined, words, ({ verify }, sources, onProgress) =>
    verify({ sources, quick: options.quick, onProgress }),
  );
  const { findings, more, rules, objects, database } = result;
  const told = findings.map(({ check, where, problem, advice }) => `${check}: ${where}\n  ${problem}.\n  ${advice}`);
  const seen = `${rules} rules on ${database}, ${objects} objects ${options.quick ? 'looked for' : 'read'}`;
  const end = findings.length === 0 ? `Everything is whole: ${seen}.` : `Checked ${seen}.`;
  output.print([...told, ...(more > 0 ? [`And ${more} more of the same kinds.`] : []), end].join('\n'), result);
  if (findings.length > 0) throw new CliError(`The data has ${counted(findings.length + more, 'fault')}.`);
}

async function runMove(
  words: readonly string[],
  options: CommonOptions & { to?: string; objectsTo?: string; cancel?: boolean },
): Promise<void> {
  const output = createOutput(options);
  const { to, objectsTo, cancel } = options;
  if ((to === undefined) === (cancel === undefined))
    throw new CliError('Name the new database with --to, or give a move up with --cancel.', exitCodes.usage);
  if (to === undefined) {
    const mark = await working(options, output, undefined, words, ({ cancelMove }, sources) => cancelMove(sources));
    const text = mark
      ? `A server can use this database again. It was marked: ${mark.state} to ${mark.place}.`
      : 'This database has no mark of a move.';
    output.print(text, { cancelled: mark !== undefined, ...(mark && { place: mark.place }) });
    return;
  }
  const result = await working(options, output, undefined, words, ({ move }, sources, onProgress) =>
    move({ sources, to, objectsTo, onProgress }),
  );
  const { from, to: place, moved, tables, rows, objects } = result;
  const lines = moved
    ? [
        `Moved ${rows} rows in ${tables} tables from ${from} to ${place}. Both sides were compared and are equal.`,
        ...(objects
          ? [`Copied ${counted(objects.count, 'object')} (${bytesText(objects.bytes)}) to ${objects.place}.`]
          : []),
        `Set database-url to the new database${objects ? ' and objects-url to the new place' : ''}, and start the server. No server starts on the old one any more.`,
      ]
    : [`The move from ${from} to ${place} was finished before.`];
  output.print(lines.join('\n'), result);
}

/**
 * Loads the server and runs some work with its settings. A bad setting is reported as wrong usage.
 * @param place an argument of the command; it is refused if it looks like a flag
 */
async function working<T>(
  options: CommonOptions,
  output: Output,
  place: string | undefined,
  words: readonly string[],
  work: (maintenance: Maintenance, sources: Sources, onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (place?.startsWith('--')) throw new CliError(`Name the place before the flag ${place}.`, exitCodes.usage);
  for (const name of clientVariables) delete process.env[name];
  const { dataDir, databaseUrl, objectsUrl } = options;
  const flags = {
    ...flagsOf(words),
    ...(dataDir !== undefined && { 'data-dir': dataDir }),
    ...(databaseUrl !== undefined && { 'database-url': databaseUrl }),
    ...(objectsUrl !== undefined && { 'objects-url': objectsUrl }),
  };
  const file = fileOf(options.config);
  const maintenance = await import('@sealpost/server/maintenance');
  const line = stepLine(output);
  try {
    return await work(maintenance, { flags, env: process.env, ...(file !== undefined && { file }) }, line.show);
  } catch (error) {
    throw error instanceof maintenance.ConfigError ? new CliError(error.message, exitCodes.usage) : error;
  } finally {
    line.end();
  }
}

function positive(flag: string, given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new CliError(`${flag} needs a whole number from 1 on, not ${JSON.stringify(given)}.`, exitCodes.usage);
}
