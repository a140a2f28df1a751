import type { Contact } from '@sealpost/contract';
import type { Verbs } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { createOutput, oneLine } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { fieldTable } from '../../table.ts';
import { contactTable, stateOf } from './contact-list.ts';

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
    .action(list);
  withConnectionOptions(program.command('contact'))
    .description('show one user: contact record, and what to be careful about')
    .argument(USER, `${USER_IS}, or a phone number with + and country number`)
    .action(show);
  withConnectionOptions(program.command('add'))
    .description('add a user to the contacts')
    .argument(USER, USER_IS)
    .action(add);
  const single = (name: string, description: string, work: Change, done: string) =>
    withConnectionOptions(program.command(name))
      .description(description)
      .argument(USER, USER_IS)
      .action((user: string, options: ConnectionOptions) => change(user, options, work, done));
  single(
    'block',
    'block a user, whose messages are no longer delivered',
    (contacts, mid) => contacts.block(mid),
    'Blocked',
  );
  single('unblock', 'unblock a user', (contacts, mid) => contacts.unblock(mid), 'Unblocked');
  single('remove', 'remove a user from the contacts', (contacts, mid) => contacts.remove(mid), 'Removed');
}

type Change = (contacts: Verbs['contacts'], mid: string) => Promise<void>;

async function list(options: ListOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ contacts }) => {
    const users = await listed(contacts, options);
    output.print(contactTable(users), users);
  });
}

async function listed(
  contacts: Verbs['contacts'],
  { blocked, favorites, recommended }: ListOptions,
): Promise<Contact[]> {
  if (recommended) return contacts.recommendations();
  const mids = await (blocked ? contacts.blocked() : favorites ? contacts.favorites() : contacts.mids());
  return [...(await contacts.get(mids.filter((mid) => mid.startsWith('u')))).values()];
}

async function show(user: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const contact = await find(contacts, user);
    const found = { ...contact, ...(await contacts.profileNotice(contact.mid)) };
    createOutput(options).print(fieldTable({ ...found, status: stateOf(contact) }), found);
  });
}

/** Returns the contact record of a user, who is named by a phone number, a user id or a mid. */
async function find(contacts: Verbs['contacts'], user: string): Promise<Contact> {
  const mid = user.startsWith('+') ? undefined : await resolveRecipient(contacts, user);
  const found =
    mid === undefined ? (await contacts.findByPhone([user])).get(user) : (await contacts.get([mid])).get(mid);
  if (found) return found;
  throw new CliError(`Nobody was found as "${user}", or they cannot be found in this way.`);
}

async function add(user: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const mid = await resolveRecipient(contacts, user);
    const contact = (await contacts.addAll([mid])).get(mid);
    createOutput(options).print(`Added ${oneLine(contact?.displayName ?? user)} (${mid}).`, contact);
  });
}

async function change(user: string, options: ConnectionOptions, work: Change, done: string): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const mid = await resolveRecipient(contacts, user);
    await work(contacts, mid);
    createOutput(options).print(`${done} ${user}.`, { mid });
  });
}
