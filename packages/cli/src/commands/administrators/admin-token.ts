// `sealpost admin token`: manages tokens with which machines call a part of the admin API.
import type { TokenScope } from '@sealpost/sdk/admin';
import { type Command, InvalidArgumentError } from 'commander';
import { type AdminOptions, adminOf, withAdminOptions } from '../../admin.ts';
import { createOutput, minuteText, oneLine } from '../../output.ts';
import { table } from '../../table.ts';
import { wholeNumber } from '../registration/invite.ts';

interface CreateOptions extends AdminOptions {
  readonly scopes: TokenScope[];
  readonly days?: number;
}

/**
 * All scopes. The type makes the compiler report a scope that is missing here. The contract's own list is not imported,
 * because it would load all schemas.
 */
const scopes: Readonly<Record<TokenScope, true>> = { read: true, accounts: true, moderation: true };

export function addTokenCommands(admin: Command): void {
  const token = admin.command('token').description('make, list and revoke tokens for machines');
  withAdminOptions(token.command('create'))
    .description('make a token and print it, which is shown only now')
    .argument('<name>', 'what it is for')
    .requiredOption(
      '--scopes <scopes>',
      `what it may do: ${Object.keys(scopes).join(', ')}, or several of them`,
      scopesOf,
    )
    .option('--days <n>', 'days until it expires; without this option, never', wholeNumber)
    .action(create);
  withAdminOptions(token.command('list'))
    .description('list the tokens, newest first, without their secrets')
    .action(list);
  withAdminOptions(token.command('revoke'))
    .description('revoke a token at once')
    .argument('<id>', 'token id, from admin token list')
    .action(async (id: string, options: AdminOptions) => {
      await (await adminOf(options)).revokeToken({ token: id });
      createOutput(options).print(`Revoked token ${id}.`, { id, revoked: true });
    });
}

const isScope = (word: string): word is TokenScope => Object.hasOwn(scopes, word);

function scopesOf(text: string): TokenScope[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.every(isScope)) return [...new Set(words)];
  throw new InvalidArgumentError(`Name some of ${Object.keys(scopes).join(', ')}, with commas between them.`);
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { days } = options;
  const admin = await adminOf(options);
  const made = await admin.createToken({ name, scopes: options.scopes, ...(days !== undefined && { days }) });
  const expiry = made.expiresTime === undefined ? 'without an end' : `until ${minuteText(made.expiresTime)} UTC`;
  const lines = [
    `Token ${made.id} for ${made.scopes.join(', ')}, ${expiry}. Keep it now, it is not shown again:`,
    made.token,
  ];
  createOutput(options).print(lines.join('\n'), made);
}

async function list(options: AdminOptions): Promise<void> {
  const { tokens } = await (await adminOf(options)).listTokens();
  const timeOf = (time: string | undefined) => (time === undefined ? 'never' : minuteText(time));
  const rows = tokens.map((one) => [
    one.id,
    oneLine(one.name),
    one.scopes.join(','),
    oneLine(one.createdBy),
    timeOf(one.expiresTime),
    timeOf(one.lastUsedTime),
  ]);
  const head = ['ID', 'NAME', 'SCOPES', 'CREATED BY', 'EXPIRES', 'LAST USED'];
  createOutput(options).print(rows.length === 0 ? 'No tokens.' : table(head, rows), tokens);
}
