import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { createOutput } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';
import { contactTable } from './contact-list.ts';

interface ListOptions extends ConnectionOptions {
  readonly removed?: boolean;
}

export function addRecommendationCommands(program: Command): void {
  const recommendations = program
    .command('recommendations')
    .description('users whom you may know: those who added you, or share a chat with you');
  withConnectionOptions(recommendations.command('list', { isDefault: true }))
    .description('list them; also without `list`')
    .option('--removed', 'the users that you removed from the recommendations')
    .action(list);
  withConnectionOptions(recommendations.command('remove'))
    .description('no longer recommend a user; `sealpost add` accepts one')
    .argument('<user>', 'a mid or a user id')
    .action(remove);
}

async function list(options: ListOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const users = await (options.removed ? contacts.blockedRecommendations() : contacts.recommendations());
    createOutput(options).print(contactTable(users), users);
  });
}

async function remove(user: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ contacts }) => {
    const mid = await resolveRecipient(contacts, user);
    await contacts.blockRecommendation(mid);
    createOutput(options).print(`No longer recommends ${user}.`, { mid });
  });
}
