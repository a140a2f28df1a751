// `sealpost account import`: opens accounts for the people of a CSV file. People without a password get an invitation
// on a sheet instead. All rows are checked before the first account is created. Running the import again creates only
// what is missing.
import { readFileSync } from 'node:fs';
import type { AccountCheck, Invite } from '@sealpost/sdk/admin';
import type { Command } from 'commander';
import { type Admin, type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { readFault } from '../../file-faults.ts';
import { createOutput, oneLine } from '../../output.ts';
import { table } from '../../table.ts';
import { wholeNumber } from './invite.ts';
import { cardsOn, openSheet, type Sheet, type SheetCard } from './invite-sheet.ts';
import { columnOf, type Fault, PeopleFaults, type Row, readPeople } from './people-csv.ts';

interface ImportOptions extends AdminOptions {
  readonly inviteSheet?: string;
  readonly days?: number;
  readonly from?: string;
  readonly dryRun?: boolean;
}

const AT_ONCE = 50;
/** The note of the invites that an import creates. A later run of the import recognizes these invites by the note. */
const NOTE = 'account import';

type Outcome = 'created' | 'invited' | 'on the sheet' | 'there already';
interface Result {
  readonly userid: string;
  readonly outcome: Outcome;
  readonly mid?: string;
  readonly invite?: string;
}

export const addImportCommand = (account: Command): void =>
  void withAdminOptions(account.command('import'))
    .description('open accounts for the people of a CSV file, and invite those without a password')
    .argument('<people.csv>', 'columns userid, name, and if wanted email, phone, password')
    .option('--invite-sheet <sheet.html>', 'where to write the invitations, as a sheet of QR codes to print')
    .option('--days <n>', 'days until the invitations expire; 14 without this option, 0 for never', wholeNumber)
    .option('--from <who>', 'who invites, as invited people see it')
    .option('--dry-run', 'only check the file')
    .addHelpText(
      'after',
      '\nAll rows are checked first; a fault in one of them stops the import before it does anything. After an\ninterruption, repeat the command with the same sheet: it does what is missing.',
    )
    .action(importPeople);

/** A row with the server's answer about it. */
interface Person extends Row {
  readonly checked: AccountCheck;
}

async function importPeople(path: string, options: ImportOptions): Promise<void> {
  const output = createOutput(options);
  const admin = await adminOf(options);
  const people = await checkedPeople(admin, path);
  const invited = people.filter(({ password }) => password === undefined);
  if (invited.length > 0 && options.inviteSheet === undefined && !options.dryRun) {
    throw new CliError(
      `${invited.length} of ${people.length} people have no password and need an invitation: name a file for the sheet with --invite-sheet sheet.html.`,
      exitCodes.usage,
    );
  }
  if (options.dryRun) {
    const fresh = people.filter(({ checked }) => checked.existing === undefined).length;
    const text = `${path} is right: ${people.length} people, ${fresh} of them new, ${invited.length} without a password.`;
    return output.print(text, { people: people.length, new: fresh, withoutPassword: invited.length });
  }
  const { inviteSheet } = options;
  // The sheet is written before anything is created, because it may be in a folder that this user may not write.
  const invitations = inviteSheet === undefined ? undefined : await begunSheet(admin, inviteSheet);
  const created = await createAll(
    admin,
    people.filter(({ password }) => password !== undefined),
  );
  const results = [...created, ...(invitations ? await inviteAll(admin, invited, invitations, options) : [])];
  const rows = results.map(({ userid, outcome, mid }) => [oneLine(userid), outcome, mid ?? '']);
  const lines = [table(['USERID', 'OUTCOME', 'MID'], rows)];
  if (inviteSheet !== undefined)
    lines.push(`The invitations are in ${inviteSheet}. Print it, and keep it as you keep keys.`);
  output.print(lines.join('\n'), results);
}

/**
 * Reads the file and has the server check every row.
 * @throws CliError with every fault of the file
 */
async function checkedPeople(admin: Admin, path: string): Promise<readonly Person[]> {
  try {
    const { rows, faults: seen } = readPeople(contentOf(path));
    const people: Person[] = [];
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const some = rows.slice(from, from + AT_ONCE);
      const { accounts } = await admin.checkAccounts({ accounts: some.map(({ line: _, ...row }) => row) });
      people.push(
        ...some.flatMap((row, n) => {
          const checked = accounts[n];
          return checked ? [{ ...row, checked }] : [];
        }),
      );
    }
    // A missing value was noted already.
    const isNew = ({ line, column }: Fault) => !seen.some((one) => one.line === line && one.column === column);
    const faults = [...seen, ...people.flatMap(faultsOf).filter(isNew), ...repetitionsIn(people)];
    if (faults.length > 0) throw new PeopleFaults(faults.toSorted((a, b) => a.line - b.line));
    return people;
  } catch (error) {
    if (!(error instanceof PeopleFaults)) throw error;
    throw new CliError(
      `${path} was not imported, and nothing was created:\n${oneLines(error.message)}`,
      exitCodes.usage,
    );
  }
}

const oneLines = (text: string): string => text.split('\n').map(oneLine).join('\n');

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw readFault(path, error);
  }
}

const faultsOf = ({ line, checked }: Person): Fault[] =>
  checked.errors.map(({ field, message }) => ({ line, column: columnOf(field), message }));

/** Returns a fault for each identifier that also occurs in an earlier line. */
function repetitionsIn(people: readonly Person[]): Fault[] {
  const faults: Fault[] = [];
  for (const column of ['userid', 'email', 'phone'] as const) {
    const lines = new Map<string, number>();
    for (const { line, checked } of people) {
      const value = checked[column];
      if (!value) continue;
      const first = lines.get(value);
      if (first === undefined) lines.set(value, line);
      else faults.push({ line, column, message: `${JSON.stringify(value)} is in line ${first} already` });
    }
  }
  return faults;
}

async function createAll(admin: Admin, people: readonly Person[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const { checked, userid, displayName, email, phone, password = '' } of people) {
    if (checked.existing !== undefined) {
      results.push({ userid: checked.userid, outcome: 'there already', mid: checked.existing });
      continue;
    }
    const identifiers = { ...(email && { email }), ...(phone && { phone }) };
    const { mid } = await admin.createAccount({ userid, displayName, password, ...identifiers });
    results.push({ userid: checked.userid, outcome: 'created', mid });
  }
  return results;
}

interface Invitations {
  readonly sheet: Sheet;
  /** All usable invites of the server. */
  readonly usable: readonly Invite[];
  /** The cards from an earlier run whose invites are still usable. They stay on the sheet. */
  readonly staying: readonly SheetCard[];
}

/** Begins the sheet with the cards that stay on it. @throws CliError if it cannot be written */
async function begunSheet(admin: Admin, path: string): Promise<Invitations> {
  const usable = await allPages(
    (page) => admin.listInvites({ ...page, state: 'usable' }),
    ({ invites }) => invites,
  );
  const ids = new Set(usable.map(({ id }) => id));
  const staying = cardsOn(path).filter(({ id }) => ids.has(id));
  return { sheet: openSheet(path, `Invitations to ${new URL(admin.url).host}`, staying), usable, staying };
}

/**
 * Invites people, and writes their cards. An earlier invite whose card is not on this sheet is revoked, so that each
 * person has one code.
 */
async function inviteAll(
  admin: Admin,
  people: readonly Person[],
  { sheet, usable, staying }: Invitations,
  { from, days }: ImportOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const { checked, displayName: name } of people) {
    const { userid, email, phone, existing } = checked;
    const card = staying.find((one) => one.userid === userid);
    if (existing !== undefined) results.push({ userid, outcome: 'there already', mid: existing });
    else if (card) results.push({ userid, outcome: 'on the sheet', invite: card.id });
    else {
      for (const { id } of lostInvites(usable, staying, userid)) await admin.revokeInvite({ invite: id });
      const identifiers = { userid, ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) };
      const asked = { ...(from !== undefined && { from }), ...(days !== undefined && { days }) };
      const { id, link, expires } = await admin.createInvite({ name, note: NOTE, ...identifiers, ...asked });
      sheet.add({ id, userid, name, from, link, expires });
      results.push({ userid, outcome: 'invited', invite: id });
    }
  }
  return results;
}

const lostInvites = (usable: readonly Invite[], staying: readonly SheetCard[], userid: string): readonly Invite[] =>
  usable.filter((one) => one.note === NOTE && one.userid === userid && !staying.some(({ id }) => id === one.id));
