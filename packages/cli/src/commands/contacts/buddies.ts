// Commands for official accounts, which are programs that users add and write to.
import { contactAttributes } from '@sealpost/contract';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { findMessage } from '../../find-message.ts';
import { createOutput } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { fieldTable } from '../../table.ts';
import { contactTable } from './contact-list.ts';

export function addBuddyCommands(program: Command): void {
  const buddies = program
    .command('buddies')
    .description('official accounts: list yours, show one, press a button of a message');
  withConnectionOptions(buddies.command('list', { isDefault: true }))
    .description('list the official accounts among your contacts; also without `list`')
    .action(list);
  withConnectionOptions(buddies.command('show'))
    .description('show the details of an official account')
    .argument('<account>', 'a mid or a user id')
    .action(show);
  withConnectionOptions(buddies.command('press'))
    .description('tell an official account that a button of its message was pressed')
    .argument('<message>', 'id of the message')
    .argument('<data>', 'the data of the button')
    .action(press);
}

async function list(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const users = [...(await contacts.get(await contacts.mids())).values()];
    const official = users.filter(({ attributes }) => (attributes & contactAttributes.OFFICIAL_ACCOUNT) !== 0);
    createOutput(options).print(contactTable(official), official);
  });
}

async function show(account: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const mid = await resolveRecipient(contacts, account);
    const { displayName, picturePath } = await contacts.officialProfile(mid);
    const detail = {
      displayName,
      ...(picturePath !== undefined && { picturePath }),
      ...(await contacts.official(mid)),
    };
    createOutput(options).print(fieldTable(detail), detail);
  });
}

async function press(id: string, data: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client, mid }) => {
    const { id: messageId, from, to } = await findMessage(client, id);
    const chatMID = to === mid ? from : to;
    await client.TalkService.sendPostback({ messageId, url: data, chatMID, originMID: from });
    createOutput(options).print(`Pressed the button of ${messageId}.`, { messageId, data });
  });
}
