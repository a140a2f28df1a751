import { type Chat, chatTypes } from '@sealpost/contract';
import type { GroupTrust, Verbs } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { allGroups, resolveGroup } from '../../groups.ts';
import { givenPicture } from '../../media/picture-file.ts';
import { createOutput, oneLine } from '../../output.ts';
import { People, resolveRecipient } from '../../people.ts';
import { table } from '../../table.ts';

interface CreateOptions extends ConnectionOptions {
  readonly room?: boolean;
}

const CHAT_IS = 'a mid, or the name of a group that you are in or invited to';
const USERS_ARE = 'mids or user ids';

export function addGroupCommands(program: Command): void {
  const group = program.command('group').description('groups and rooms: create, join, leave, change');
  const command = (name: string, description: string): Command =>
    withConnectionOptions(group.command(name)).description(description);

  command('list', 'list groups and rooms, and invitations').action(list);
  command('create', 'create a group and invite users')
    .argument('<name>')
    .argument('[users...]', USERS_ARE)
    .option('--room', 'a room: the users are members at once')
    .action(create);
  command('members', 'list the members and invitees').argument('<chat>', CHAT_IS).action(members);
  command('rename', 'give a new name').argument('<chat>', CHAT_IS).argument('<name>').action(rename);
  command('picture', 'set the picture, without what a camera wrote into it')
    .argument('<chat>', CHAT_IS)
    .argument('[file]', 'a picture')
    .option('--remove', 'remove the picture')
    .action(setPicture);
  for (const { name, description, done, work } of onUsers) {
    command(name, description)
      .argument('<chat>', CHAT_IS)
      .argument('<users...>', USERS_ARE)
      .action((chat: string, users: string[], options: ConnectionOptions) =>
        changeUsers(chat, users, options, work, done),
      );
  }
  for (const { name, description, done, work } of onChat) {
    command(name, description)
      .argument('<chat>', CHAT_IS)
      .action((chat: string, options: ConnectionOptions) => changeOwn(chat, options, work, done));
  }
}

type OnUsers = (chats: Verbs['chats'], chatMid: string, mids: readonly string[]) => Promise<void>;
type OnChat = (chats: Verbs['chats'], chatMid: string) => Promise<void>;

const onUsers: readonly { name: string; description: string; done: string; work: OnUsers }[] = [
  {
    name: 'invite',
    description: 'invite users, or add them to a room',
    done: 'Invited',
    work: (chats, chatMid, mids) => chats.invite(chatMid, mids),
  },
  {
    name: 'cancel',
    description: 'withdraw invitations',
    done: 'No longer invited:',
    work: (chats, chatMid, mids) => chats.cancelInvitation(chatMid, mids),
  },
  {
    name: 'remove',
    description: 'remove members',
    done: 'Removed',
    work: (chats, chatMid, mids) => chats.removeMembers(chatMid, mids),
  },
];

const onChat: readonly { name: string; description: string; done: string; work: OnChat }[] = [
  {
    name: 'accept',
    description: 'accept an invitation',
    done: 'Joined',
    work: (chats, chatMid) => chats.accept(chatMid),
  },
  {
    name: 'reject',
    description: 'decline an invitation',
    done: 'Declined',
    work: (chats, chatMid) => chats.reject(chatMid),
  },
  {
    name: 'leave',
    description: 'leave a group or room',
    done: 'Left',
    work: (chats, chatMid) => chats.leave(chatMid),
  },
];

async function list(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async (connection) => {
    const { chats, invited } = await allGroups(connection.chats);
    const rows = chats.map((chat) => [
      nameOf(chat),
      chat.type === chatTypes.ROOM ? 'room' : 'group',
      invited.has(chat.chatMid) ? 'invited' : 'member',
      String(chat.extra?.groupExtra?.memberMids?.length ?? 0),
      chat.chatMid,
    ]);
    const text = rows.length === 0 ? 'No groups yet.' : table(['NAME', 'KIND', 'YOU ARE', 'MEMBERS', 'MID'], rows);
    output.print(text, { chats, invitedChatMids: [...invited] });
  });
}

async function create(name: string, users: readonly string[], options: CreateOptions): Promise<void> {
  await asUser(options, async ({ chats, contacts }) => {
    const mids = await midsOf(contacts, users);
    const chatMid = await (options.room ? chats.createRoom(mids, name) : chats.createGroup({ name, members: mids }));
    const chat = (await chats.get([chatMid])).get(chatMid);
    const told =
      users.length === 0 ? '' : options.room ? ` with ${users.join(', ')}` : ` and invited ${users.join(', ')}`;
    createOutput(options).print(`Created ${oneLine(name)} (${chatMid})${told}.`, chat);
  });
}

async function members(chat: string, options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ chats, contacts, sealing, mid: own }) => {
    const chatMid = await resolveGroup(chats, chat);
    const found = (await chats.members([chatMid])).get(chatMid);
    if (!found) throw new CliError(`You are neither in ${chat} nor invited to it.`);
    const { members: memberMids, invitees: inviteeMids } = found;
    const people = new People({ chats, contacts });
    if (!output.json) await people.learn([...memberMids, ...inviteeMids]);
    const trust = memberMids.includes(own) ? await sealing.group(chatMid) : undefined;
    const verified = new Set(trust?.members.filter((member) => member.verified).map(({ mid }) => mid));
    const mark = (mid: string) => (mid === own ? 'you' : verified.has(mid) ? 'verified' : '');
    const rows = [
      ...memberMids.map((mid) => [people.nameOf(mid), 'member', mark(mid), mid]),
      ...inviteeMids.map((mid) => [people.nameOf(mid), 'invited', '', mid]),
    ];
    const lines = [table(['NAME', 'STATE', 'KEY', 'MID'], rows), ...(trust ? [groupKeyLine(trust, own, people)] : [])];
    output.print(lines.join('\n'), { chatMid, memberMids, inviteeMids, ...(trust && { sealing: trust }) });
  });
}

/**
 * Returns the line that names the account that made the group key. The other members rely on this account, because it
 * checked the keys of all members.
 */
function groupKeyLine({ key, state }: GroupTrust, own: string, people: People): string {
  const all = state === 'verified' ? 'All others are verified. ' : '';
  if (!key) return `${all}The chat has no key yet: the next sealed message creates it.`;
  const maker = key.creator === own ? 'You' : people.nameOf(key.creator);
  return `${all}${maker} made the key that everybody seals with (number ${key.groupKeyId}).`;
}

async function rename(chat: string, chatName: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ chats }) => {
    const chatMid = await resolveGroup(chats, chat);
    await chats.rename(chatMid, chatName);
    createOutput(options).print(`Renamed ${chat} to ${oneLine(chatName)}.`, { chatMid, chatName });
  });
}

async function setPicture(
  chat: string,
  path: string | undefined,
  options: ConnectionOptions & { remove?: boolean },
): Promise<void> {
  const picture = await givenPicture(path, options);
  await asUser(options, async ({ chats }) => {
    const chatMid = await resolveGroup(chats, chat);
    const picturePath = picture ? await chats.setPicture(chatMid, picture) : '';
    if (!picture) await chats.removePicture(chatMid);
    const told = picture ? `Set the picture of ${chat}.` : `Removed the picture of ${chat}.`;
    createOutput(options).print(told, { chatMid, picturePath });
  });
}

async function changeUsers(
  chat: string,
  users: readonly string[],
  options: ConnectionOptions,
  work: OnUsers,
  done: string,
): Promise<void> {
  await asUser(options, async ({ chats, contacts }) => {
    const chatMid = await resolveGroup(chats, chat);
    const targetUserMids = await midsOf(contacts, users);
    await work(chats, chatMid, targetUserMids);
    createOutput(options).print(`${done} ${users.join(', ')}.`, { chatMid, targetUserMids });
  });
}

async function changeOwn(chat: string, options: ConnectionOptions, work: OnChat, done: string): Promise<void> {
  await asUser(options, async ({ chats }) => {
    const chatMid = await resolveGroup(chats, chat);
    await work(chats, chatMid);
    createOutput(options).print(`${done} ${chat}.`, { chatMid });
  });
}

const nameOf = (chat: Chat): string => oneLine(chat.chatName) || 'unnamed';

const midsOf = (contacts: Verbs['contacts'], users: readonly string[]): Promise<string[]> =>
  Promise.all(users.map((user) => resolveRecipient(contacts, user)));
