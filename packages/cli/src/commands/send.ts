import { contentTypes } from '@sealpost/contract';
import type { Client } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { readAll } from '../password.ts';
import { resolveRecipient } from '../people.ts';

interface SendOptions extends ConnectionOptions {
  readonly sticker?: string;
}

export function addSendCommand(program: Command): void {
  withConnectionOptions(program.command('send'))
    .description('send a text message or a sticker')
    .argument('<to>', 'a mid (user, group or room), or a user id')
    .argument('[text]', 'the text; - reads it from standard input')
    .option(
      '--sticker <pack/sticker>',
      'in place of a text: a sticker of yours, as `sealpost stickers mine` lists them',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ sealpost send bob "hello"\n  $ sealpost send bob "hello" --as alice\n  $ uptime | sealpost send ops -\n  $ sealpost send bob --sticker 1/3',
    )
    .action(send);
}

type OutgoingMessage = Parameters<Client['send']>[0];

async function send(to: string, text: string | undefined, options: SendOptions): Promise<void> {
  const output = createOutput(options);
  const content = await contentOf(text, options.sticker);
  await asUser(options, async ({ client, url }) => {
    const message = await client.send({ ...content, to: await resolveRecipient(client, url, to) });
    output.print(`Sent ${message.id} to ${to}.`, message);
  });
}

async function contentOf(text: string | undefined, sticker: string | undefined): Promise<Omit<OutgoingMessage, 'to'>> {
  if ((text === undefined) === (sticker === undefined)) {
    throw new CliError('Give either a text or --sticker.', exitCodes.usage);
  }
  if (sticker !== undefined) return stickerOf(sticker);
  const content = text === '-' ? (await readAll()).replace(/\r?\n$/, '') : text;
  return { text: content as string, contentType: contentTypes.NONE };
}

function stickerOf(sticker: string): Omit<OutgoingMessage, 'to'> {
  const [, STKPKGID, STKID] = /^([\w-]+)\/(\d+)$/.exec(sticker) ?? [];
  if (STKPKGID === undefined || STKID === undefined) {
    throw new CliError(`--sticker must be <pack>/<sticker>, for example 1/3, not "${sticker}".`, exitCodes.usage);
  }
  return { contentType: contentTypes.STICKER, contentMetadata: { STKPKGID, STKID, STKVER: '1' } };
}
