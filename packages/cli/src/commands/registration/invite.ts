// `sealpost invite`: creates, lists, shows and revokes invites, with the admin token.
import type { AdminArgs, Invite } from '@sealpost/sdk/admin';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { type AdminOptions, adminOf, allPages, withAdminOptions } from '../../admin.ts';
import { createOutput, minuteText, oneLine } from '../../output.ts';
import { fieldTable, table } from '../../table.ts';

interface CreateOptions extends AdminOptions {
  readonly uses?: number;
  readonly days?: number;
  readonly from?: string;
  readonly name?: string;
  readonly userid?: string;
  readonly note?: string;
  readonly qr?: boolean;
}

interface ListOptions extends AdminOptions {
  readonly state?: Invite['state'];
}

const STATES = ['usable', 'used-up', 'expired', 'revoked'];

export function addInviteCommands(program: Command): void {
  const invite = program
    .command('invite')
    .description('invite people who open their accounts themselves, with the admin token');
  withAdminOptions(invite.command('create'))
    .description('create an invite and print its link, which is shown only now')
    .option('--uses <n>', 'accounts that may be opened with it; 1 without this option', wholeNumber)
    .option('--days <n>', 'days until it expires; 14 without this option, 0 for never', wholeNumber)
    .option('--from <who>', 'who invites, as invited people see it')
    .option('--name <name>', 'for whom it is; the display name that the page proposes')
    .option('--userid <userid>', 'the user id that the page proposes')
    .option('--note <text>', 'a note for operators')
    .option('--qr', 'draw the link as a QR code')
    .action(create);
  withAdminOptions(invite.command('list'))
    .description('list invites, newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .action(list);
  withAdminOptions(invite.command('show'))
    .description('show an invite and the accounts that were opened with it')
    .argument('<id>')
    .action(async (id: string, options: AdminOptions) => {
      const shown = await (await adminOf(options)).showInvite({ invite: id });
      createOutput(options).print(fieldTable(shown), shown);
    });
  withAdminOptions(invite.command('revoke'))
    .description('revoke an invite; accounts that were opened with it stay')
    .argument('<id>')
    .action(async (id: string, options: AdminOptions) => {
      const revoked = await (await adminOf(options)).revokeInvite({ invite: id });
      createOutput(options).print(`Revoked invite ${id}.`, revoked);
    });
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

const askedFor = ({ uses, days, from, name, userid, note }: CreateOptions): AdminArgs<'createInvite'> => ({
  ...(uses !== undefined && { uses }),
  ...(days !== undefined && { days }),
  ...(from !== undefined && { from }),
  ...(name !== undefined && { name }),
  ...(userid !== undefined && { userid }),
  ...(note !== undefined && { note }),
});

async function create(options: CreateOptions): Promise<void> {
  const made = await (await adminOf(options)).createInvite(askedFor(options));
  const lines = [`Invite ${made.id}, for ${accounts(made.uses)}, ${expiryOf(made)}:`, made.link];
  if (options.qr) lines.push(renderUnicodeCompact(made.link));
  createOutput(options).print(lines.join('\n'), made);
}

const accounts = (count: number): string => (count === 1 ? 'one account' : `${count} accounts`);
const expiryOf = ({ expires }: Invite): string =>
  expires === undefined ? 'without an end' : `until ${minuteText(expires)} UTC`;

async function list({ state, ...options }: ListOptions): Promise<void> {
  const admin = await adminOf(options);
  const invites = await allPages(
    (from) => admin.listInvites({ ...from, ...(state && { state }) }),
    (page) => page.invites,
  );
  const rows = invites.map((one) => [
    one.id,
    one.state,
    `${one.used}/${one.uses}`,
    one.expires === undefined ? 'never' : minuteText(one.expires),
    oneLine(one.name ?? one.userid ?? ''),
    oneLine(one.note ?? ''),
  ]);
  const head = ['ID', 'STATE', 'USED', 'EXPIRES', 'FOR', 'NOTE'];
  createOutput(options).print(rows.length === 0 ? 'No invites.' : table(head, rows), invites);
}
