import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { createOutput } from '../output.ts';
import { readAll } from '../password.ts';
import { resolveRecipient } from '../people.ts';

export function addSendCommand(program: Command): void {
  withConnectionOptions(program.command('send'))
    .description('send a text message')
    .argument('<to>', 'a mid (user, group or room), or a user id')
    .argument('<text>', 'the text; - reads it from standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sealpost send bob "hello"\n  $ sealpost send bob "hello" --as alice\n  $ uptime | sealpost send ops -',
    )
    .action(send);
}

async function send(to: string, text: string, options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  const content = text === '-' ? (await readAll()).replace(/\r?\n$/, '') : text;
  await asUser(options, async ({ client, url }) => {
    const message = await client.sendText(await resolveRecipient(client, url, to), content);
    output.print(`Sent ${message.id} to ${to}.`, message);
  });
}
