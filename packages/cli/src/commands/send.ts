import { contentTypes } from '@sealpost/contract';
import {
  type MediaKind,
  plainReasons,
  type SealingClient,
  SealingError,
  type SealingPreview,
  type SendMode,
  type SentMessage,
} from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type Connection, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { noteChangedKeys } from '../key-news.ts';
import { localMedia } from '../media/local-media.ts';
import { transfer } from '../media/transfer.ts';
import { uploadKey } from '../media/upload-files.ts';
import { contentGiven, type GivenContent, mediaKinds, requireOneContent } from '../message-content.ts';
import { bytesText, createOutput, type Output } from '../output.ts';
import { resolveRecipient } from '../people.ts';

interface SendOptions extends ConnectionOptions, GivenContent {
  readonly sealed?: boolean;
  readonly plain?: boolean;
}

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
    .option('--sealed', 'sealed or not at all: fail where the chat takes it in the clear only')
    .option('--plain', 'in the clear or not at all: fail where the chat takes sealed messages only')
    .addHelpText(
      'after',
      `
A message is sealed where everybody in the chat can be sealed for; else it says that it went in the clear, and why.

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
  const mode = modeOf(options);
  const kind = mediaKinds.find((name) => options[name] !== undefined);
  await asUser(options, async (connection) => {
    const { client, sealing } = connection;
    if (kind) return sendFile(connection, output, { to, kind, path: options[kind] as string, mode });
    const content = await contentGiven(client, text, options);
    const mid = await resolveRecipient(client, to);
    noteChangedKeys(client, output, (changed) => (changed === mid ? to : changed));
    const sent = await sealing.send({ ...content, to: mid }, mode);
    report(output, `Sent ${sent.message.id} to ${to}`, sent);
  });
}

interface FileToSend {
  readonly to: string;
  readonly kind: MediaKind;
  readonly path: string;
  readonly mode: SendMode;
}

async function sendFile(
  { client, sealing, url, name }: Connection,
  output: Output,
  { to, kind, path, mode }: FileToSend,
): Promise<void> {
  const { media, identity } = await localMedia(kind, path);
  const mid = await resolveRecipient(client, to);
  noteChangedKeys(client, output, (changed) => (changed === mid ? to : changed));
  const plan = await planOf(sealing, mid, kind, mode);
  const resumeKey = uploadKey(url, name, mid, kind, identity);
  const message = await transfer(output, media.name, (control) =>
    client.media(plan.sealed ? sealing : undefined).send(mid, media, { ...control, resumeKey }),
  );
  const sealed = message.chunks !== undefined;
  const sent = { message, sealed, ...(sealed || plan.sealed ? {} : { plainBecause: plan.because }) };
  report(output, `Sent ${message.id} to ${to}: ${media.name}, ${bytesText(media.bytes.size)}`, sent);
}

/** In which form an object is uploaded has to be known before. */
async function planOf(sealing: SealingClient, to: string, kind: MediaKind, mode: SendMode): Promise<SealingPreview> {
  if (mode === 'plain') return { sealed: false, because: 'asked' };
  const plan = await sealing.preview({ to, contentType: contentTypes[contentTypeNames[kind]] });
  if (mode === 'sealed' && !plan.sealed) throw new SealingError('must-be-plain', to, { plainBecause: plan.because });
  return plan;
}

const contentTypeNames = { image: 'IMAGE', video: 'VIDEO', audio: 'AUDIO', file: 'FILE' } as const;

function modeOf({ sealed, plain }: SendOptions): SendMode {
  if (sealed && plain) throw new CliError('Give --sealed or --plain, not both.', exitCodes.usage);
  return sealed ? 'sealed' : plain ? 'plain' : 'auto';
}

function report(output: Output, text: string, { message, sealed, plainBecause }: SentMessage): void {
  const how = plainBecause === undefined ? '.' : `, in the clear: ${plainReasons[plainBecause].cause}.`;
  output.print(text + how, { ...message, sealed, ...(plainBecause === undefined ? {} : { plainBecause }) });
}
