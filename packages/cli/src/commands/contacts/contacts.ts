import { type Contact, contactSettings, contactTypes } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { createOutput, oneLine } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { fieldTable } from '../../table.ts';
import { contactsOf, contactTable, stateOf } from './contact-list.ts';

interface ListOptions extends ConnectionOptions {
  readonly blocked?: boolean;
  readonly favorites?: boolean;
  readonly recommended?: boolean;
}

const USER = '<user>';
const USER_IS = 'a mid or a user id';

export function addContactCommands(program: Command): void {
  withConnectionOptions(program.command('contacts'))
    .description('list contacts')
    .option('--blocked', 'blocked users instead')
    .option('--favorites', 'favourites only')
    .option('--recommended', 'users whom you may know instead')
    .addHelpText('after', '\nExamples:\n  $ sealpost contacts\n  $ sealpost contacts --blocked --json')
    .action(list);
  withConnectionOptions(program.command('contact'))
    .description('show one user: contact record, and what to be careful about')
    .argument(USER, `${USER_IS}, or a phone number with + and country number`)
    .addHelpText('after', '\nExamples:\n  $ sealpost contact bob\n  $ sealpost contact +4940123456 --json')
    .action(show);
  withConnectionOptions(program.command('add'))
    .description('add a user to the contacts')
    .argument(USER, USER_IS)
    .addHelpText('after', '\nExamples:\n  $ sealpost add bob')
    .action(add);
  const single = (
    name: string,
    description: string,
    work: (client: RpcClient, mid: string) => Promise<unknown>,
    done: string,
  ) =>
    withConnectionOptions(program.command(name))
      .description(description)
      .argument(USER, USER_IS)
      .addHelpText('after', `\nExamples:\n  $ sealpost ${name} bob`)
      .action((user: string, options: ConnectionOptions) => change(user, options, work, done));
  single('block', 'block a user, whose messages are no longer delivered', block, 'Blocked');
  single('unblock', 'unblock a user', unblock, 'Unblocked');
  single('remove', 'remove a user from the contacts', remove, 'Removed');
}

const block = (client: RpcClient, mid: string) => client.TalkService.blockContact(client.nextReqSeq(), mid);
const unblock = (client: RpcClient, mid: string) => client.TalkService.unblockContact(client.nextReqSeq(), mid);
const remove = (client: RpcClient, mid: string) =>
  client.TalkService.updateContactSetting(client.nextReqSeq(), mid, contactSettings.CONTACT_SETTING_DELETE, 'true');

async function list(options: ListOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    const mids = (await midsOf(client, options)).filter((mid) => mid.startsWith('u'));
    const contacts = await contactsOf(client, mids);
    output.print(contactTable(contacts), contacts);
  });
}

function midsOf({ TalkService }: RpcClient, { blocked, favorites, recommended }: ListOptions): Promise<string[]> {
  if (blocked) return TalkService.getBlockedContactIds();
  if (recommended) return TalkService.getRecommendationIds();
  return favorites ? TalkService.getFavoriteMids() : TalkService.getAllContactIds();
}

async function show(user: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const contact = await find(client, user);
    const { notice = {} } = await client.RelationService.getTargetProfileNotice({ targetUserMid: contact.mid });
    const found = { ...contact, ...notice };
    createOutput(options).print(fieldTable({ ...found, status: stateOf(contact) }), found);
  });
}

/** Returns the contact record of a user: by phone number, user id or mid. */
async function find(client: RpcClient, user: string): Promise<Contact> {
  const found = user.startsWith('+')
    ? (await client.TalkService.findContactsByPhone([user]))[user]
    : (await contactsOf(client, [await resolveRecipient(client, user)]))[0];
  if (found) return found;
  throw new CliError(`Nobody was found as "${user}", or they cannot be found in this way.`);
}

async function add(user: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const mid = await resolveRecipient(client, user);
    const type = user === mid ? contactTypes.MID : contactTypes.USERID;
    const added = await client.TalkService.findAndAddContactsByMid(client.nextReqSeq(), type, [mid]);
    const contact = added[mid];
    createOutput(options).print(`Added ${oneLine(contact?.displayName ?? user)} (${mid}).`, contact);
  });
}

async function change(
  user: string,
  options: ConnectionOptions,
  work: (client: RpcClient, mid: string) => Promise<unknown>,
  done: string,
): Promise<void> {
  await asUser(options, async ({ client }) => {
    const mid = await resolveRecipient(client, user);
    await work(client, mid);
    createOutput(options).print(`${done} ${user}.`, { mid });
  });
}
