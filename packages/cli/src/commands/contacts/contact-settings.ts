// Commands for an account's own settings about people and groups: names, favourites, notifications. Other accounts do
// not see these settings.
import type { Verbs } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { resolveAny } from '../../groups.ts';
import { createOutput, oneLine } from '../../output.ts';

const WHO = '<who>';
const WHO_IS = 'a mid, a user id, or the name of a group';

type Change = (chats: Verbs['chats'], mid: string, on: boolean) => Promise<void>;

export function addContactSettingsCommands(program: Command): void {
  for (const { name, alias, description, done, on, work } of switches) {
    const command = withConnectionOptions(program.command(name))
      .description(description)
      .argument(WHO, WHO_IS)
      .action((who: string, options: ConnectionOptions) => change(who, options, { done, on, work, name }));
    if (alias) command.alias(alias);
  }
  withConnectionOptions(program.command('rename'))
    .description('rename a contact, for you alone, or a group, for everybody in it')
    .argument(WHO, WHO_IS)
    .argument('<name>', "the new name; '' gives a contact its own name back")
    .action(rename);
}

const isUser = (mid: string): boolean => mid.startsWith('u');

const setMuted: Change = (chats, mid, muted) => chats.setMuted(mid, muted);
const setFavourite: Change = (chats, mid, favourite) => chats.setFavorite(mid, favourite);

const switches = [
  {
    name: 'mute',
    alias: undefined,
    description: 'turn notifications about a contact or a group off',
    done: 'Muted',
    on: true,
    work: setMuted,
  },
  {
    name: 'unmute',
    alias: undefined,
    description: 'turn notifications about a contact or a group on again',
    done: 'Unmuted',
    on: false,
    work: setMuted,
  },
  {
    name: 'favourite',
    alias: 'favorite',
    description: 'make a contact or a group a favourite',
    done: 'Favourite now:',
    on: true,
    work: setFavourite,
  },
  {
    name: 'unfavourite',
    alias: 'unfavorite',
    description: 'make a contact or a group no longer a favourite',
    done: 'No longer a favourite:',
    on: false,
    work: setFavourite,
  },
] as const;

async function change(
  who: string,
  options: ConnectionOptions,
  { done, on, work, name }: { done: string; on: boolean; work: Change; name: string },
): Promise<void> {
  await asUser(options, async ({ chats, contacts }) => {
    const mid = await resolveAny({ chats, contacts }, who);
    await work(chats, mid, on);
    createOutput(options).print(`${done} ${who}.`, { mid, change: name });
  });
}

async function rename(who: string, name: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ chats, contacts }) => {
    const mid = await resolveAny({ chats, contacts }, who);
    await (isUser(mid) ? contacts : chats).rename(mid, name);
    const told = name === '' ? `${who} has the own name again.` : `${who} is called ${oneLine(name)} now.`;
    createOutput(options).print(told, { mid, name });
  });
}
