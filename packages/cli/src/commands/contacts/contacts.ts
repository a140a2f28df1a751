import { type Contact, contactSettings, contactStatus, contactTypes, limits } from '@sealpost/contract';
import type { RpcClient } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { createOutput, oneLine, table } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';

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
    const rows = contacts.map((c) => [oneLine(c.displayNameOverridden || c.displayName), stateOf(c), c.mid]);
    output.print(rows.length === 0 ? 'Nobody.' : table(['NAME', 'STATE', 'MID'], rows), contacts);
  });
}

function midsOf({ TalkService }: RpcClient, { blocked, favorites, recommended }: ListOptions): Promise<string[]> {
  if (blocked) return TalkService.getBlockedContactIds();
  if (recommended) return TalkService.getRecommendationIds();
  return favorites ? TalkService.getFavoriteMids() : TalkService.getAllContactIds();
}

async function contactsOf(client: RpcClient, mids: readonly string[]): Promise<Contact[]> {
  const found: Contact[] = [];
  const size = limits.midsPerCall.value;
  for (let at = 0; at < mids.length; at += size) {
    const { contacts } = await client.TalkService.getContactsV2({ targetUserMids: mids.slice(at, at + size) });
    found.push(...Object.values(contacts).flatMap(({ contact }) => contact ?? []));
  }
  return found;
}

/** The words that are printed for each status of a contact. */
const stateWords: Record<keyof typeof contactStatus, string> = {
  UNSPECIFIED: 'no contact',
  FRIEND: 'contact',
  FRIEND_BLOCKED: 'contact, blocked',
  RECOMMEND: 'recommended',
  RECOMMEND_BLOCKED: 'no longer recommended',
  DELETED: 'deleted',
  DELETED_BLOCKED: 'blocked',
};

function stateOf({ status, settings, favoriteTime }: Contact): string {
  const name = Object.entries(contactStatus).find(([, number]) => number === status)?.[0] ?? 'UNSPECIFIED';
  const words = stateWords[name as keyof typeof contactStatus];
  const hidden = (Number(settings) & contactSettings.CONTACT_SETTING_CONTACT_HIDE) !== 0;
  return [words, favoriteTime !== '0' && 'favourite', hidden && 'hidden'].filter(Boolean).join(', ');
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
