import type { MediaKind } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type Connection, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { localMedia } from '../media/local-media.ts';
import { transfer } from '../media/transfer.ts';
import { uploadKey } from '../media/upload-files.ts';
import { contentGiven, type GivenContent, mediaKinds, requireOneContent } from '../message-content.ts';
import { bytesText, createOutput, type Output } from '../output.ts';
import { resolveRecipient } from '../people.ts';

interface SendOptions extends ConnectionOptions, GivenContent {}

export function addSendCommand(program: Command): void {
  withConnectionOptions(program.command('send'))
    .description('send a text, a file, a sticker, a place or a contact')
    .argument('<to>', 'a mid (user, group or room), or a user id')
    .argument('[text]', 'the text, or the name of a place; - reads a text from standard input')
    .option('--file <path>', 'a file of any kind and size')
    .option('--image <path>', 'a picture')
    .option('--audio <path>', 'a sound')
    .option('--video <path>', 'a video')
    .option('--sticker <pack/sticker>', 'a sticker of yours, as `sealpost stickers mine` lists them')
    .option('--location <latitude,longitude>', 'a place, in degrees')
    .option('--contact <user>', 'the contact of a user: a mid or a user id')
    .addHelpText(
      'after',
      `
A file that was stopped half-way, with Ctrl-C or by a dead line, goes on when the same command is given again.

Examples:
  $ sealpost send bob "hello"
  $ sealpost send bob "hello" --as alice
  $ uptime | sealpost send ops -
  $ sealpost send bob --video holiday.mp4
  $ sealpost send bob --sticker 1/3
  $ sealpost send bob "City hall" --location 53.5503,9.9920
  $ sealpost send bob --contact carol`,
    )
    .action(send);
}

async function send(to: string, text: string | undefined, options: SendOptions): Promise<void> {
  const output = createOutput(options);
  requireOneContent(text, options);
  const kind = mediaKinds.find((name) => options[name] !== undefined);
  await asUser(options, async (connection) => {
    const { client, url } = connection;
    if (kind) return sendFile(connection, output, to, kind, options[kind] as string);
    const content = await contentGiven(client, url, text, options);
    const message = await client.send({ ...content, to: await resolveRecipient(client, url, to) });
    output.print(`Sent ${message.id} to ${to}.`, message);
  });
}

async function sendFile(
  { client, url, name }: Connection,
  output: Output,
  to: string,
  kind: MediaKind,
  path: string,
): Promise<void> {
  const { media, identity } = await localMedia(kind, path);
  const mid = await resolveRecipient(client, url, to);
  const resumeKey = uploadKey(url, name, mid, kind, identity);
  const message = await transfer(output, media.name, (control) =>
    client.media().send(mid, media, { ...control, resumeKey }),
  );
  output.print(`Sent ${message.id} to ${to}: ${media.name}, ${bytesText(media.bytes.size)}.`, message);
}
