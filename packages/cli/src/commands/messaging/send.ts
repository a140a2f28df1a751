import { contentTypes, messageRelationTypes, serviceCodes } from '@sealpost/contract';
import type { MediaKind, SendMode } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type Connection, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { messageId } from '../../find-message.ts';
import { resolveAny } from '../../groups.ts';
import { noteChangedKeys } from '../../key-news.ts';
import { localMedia } from '../../media/local-media.ts';
import { withStandardInput } from '../../media/standard-input.ts';
import { type TransferControl, transfer } from '../../media/transfer.ts';
import { uploadKey } from '../../media/upload-files.ts';
import { contentGiven, type GivenContent, mediaKinds, requireOneContent } from '../../message-content.ts';
import { bytesText, createOutput, type Output, oneLine } from '../../output.ts';
import { type ModeOptions, modeOf, reportSent, withModeOptions } from '../../send-mode.ts';

/** The path that means standard input. */
const INPUT = '-';

interface SendOptions extends ConnectionOptions, GivenContent, ModeOptions {
  readonly name?: string;
  readonly reply?: string;
  readonly keepMetadata?: boolean;
  readonly sealedPreview?: boolean;
}

export function addSendCommand(program: Command): void {
  withModeOptions(withConnectionOptions(program.command('send')))
    .description('send a text, a file, a sticker, a place or a contact')
    .argument('<to>', 'a mid (user, group or room), a user id, or the name of a group')
    .argument('[text]', 'the text, or the name of a place; - reads a text from standard input')
    .option('--file <path>', 'a file of any kind and size; - is standard input, here and for the next three')
    .option('--image <path>', 'a picture')
    .option('--audio <path>', 'a sound')
    .option('--video <path>', 'a video')
    .option('--name <name>', 'the name that the message gives the file; needed with -')
    .option('--sticker <pack/sticker>', 'a sticker of yours, as `sealpost stickers mine` lists them')
    .option(
      '--emoji <pack/emoji>',
      'an emoji of yours, as `sealpost stickers emoji` lists them: where the text has its name, else behind the text; may be repeated',
      (emoji: string, before: readonly string[] = []) => [...before, emoji],
    )
    .option('--reply <message>', 'answer this message')
    .option('--location <latitude,longitude>', 'a place, in degrees')
    .option('--contact <user>', 'a user as a contact: a mid or a user id')
    .option('--keep-metadata', 'send a picture with the place, time and device that its camera wrote into it')
    .option('--sealed-preview', 'seal a small preview too, as existing clients do; it shows parts of the picture')
    .addHelpText(
      'after',
      `
A message is sealed if that is possible for everybody in the chat; else the command tells that it went in the clear, and why.
To a verified contact, and into a chat that was sealed before, nothing goes in the clear without --plain.

A picture is sent without the place, time and device that its camera wrote into it. With --file it is sent unchanged.

An upload that was interrupted, by Ctrl-C or a lost connection, continues when the same command is given again. One from
standard input begins anew.`,
    )
    .action(send);
}

async function send(to: string, text: string | undefined, options: SendOptions): Promise<void> {
  const output = createOutput(options);
  requireOneContent(text, options);
  const mode = modeOf(options);
  const kind = mediaKinds.find((name) => options[name] !== undefined);
  requireFileName(kind, options);
  const replyTo = options.reply === undefined ? undefined : messageId(options.reply);
  await asUser(options, async (connection) => {
    const { client, sealing } = connection;
    if (kind) {
      const sending = (path: string) => sendFile(connection, output, { to, kind, path, mode, replyTo, options });
      const path = options[kind] as string;
      return path === INPUT ? withStandardInput(sending) : sending(path);
    }
    const content = await contentGiven(connection, text, options);
    const mid = await resolveAny(connection, to);
    noteChangedKeys(client, output, (changed) => (changed === mid ? to : changed));
    const sent = await sealing.send({ ...content, ...(replyTo !== undefined && answerTo(replyTo)), to: mid }, mode);
    reportSent(output, `Sent ${sent.message.id} to ${to}`, sent);
  });
}

/** Throws unless a file has a name that the message can give it. */
function requireFileName(kind: MediaKind | undefined, options: SendOptions): void {
  const { name } = options;
  if (name === undefined) {
    if (kind === undefined || options[kind] !== INPUT) return;
    const say = `--${kind} - needs the name that the message gives the file, for example --name notes.txt.`;
    throw new CliError(say, exitCodes.usage);
  }
  if (kind === undefined) throw new CliError('--name is the name of a file, and there is none.', exitCodes.usage);
  if (name.trim() === '' || /[/\\]/.test(name))
    throw new CliError(
      `--name must be the name of a file without its folder, not "${oneLine(name)}".`,
      exitCodes.usage,
    );
}

const answerTo = (relatedMessageId: string) => ({
  relatedMessageId,
  messageRelationType: messageRelationTypes.REPLY,
  relatedMessageServiceCode: serviceCodes.TALK,
});

interface FileToSend {
  readonly to: string;
  readonly kind: MediaKind;
  readonly path: string;
  readonly mode: SendMode;
  readonly replyTo: string | undefined;
  readonly options: SendOptions;
}

async function sendFile(
  connection: Connection,
  output: Output,
  { to, kind, path, mode, replyTo, options }: FileToSend,
): Promise<void> {
  const { client, sealing, url, name } = connection;
  const { media, identity } = await localMedia(kind, path, options.name);
  const mid = await resolveAny(connection, to);
  noteChangedKeys(client, output, (changed) => (changed === mid ? to : changed));
  const contentType = contentTypes[contentTypeNames[kind]];
  // The SDK checks the mode before the upload. So a file that must not be sent in this mode is not uploaded.
  const plan = await sealing.formFor({ to: mid, contentType }, mode);
  const resumeKey = uploadKey(url, name, mid, kind, identity, ...(replyTo === undefined ? [] : [replyTo]));
  const { keepMetadata, sealedPreview } = options;
  const how = { resumeKey, mode, replyTo, keepMetadata, sealedPreview };
  const files = client.media(sealing);
  const fromInput = options[kind] === INPUT;
  const send = async (control: TransferControl) => {
    try {
      return await files.send(mid, media, { ...control, ...how });
    } catch (error) {
      // Nothing could continue it, because the input is gone.
      if (fromInput && control.signal.aborted) await files.withdraw(mid, resumeKey);
      throw error;
    }
  };
  const afterStop = fromInput ? 'Give the command again to send it from the beginning.' : undefined;
  const message = await transfer(output, media.name, send, afterStop);
  const sealed = message.chunks !== undefined;
  const sent = { message, sealed, ...(sealed || plan.sealed ? {} : { plainBecause: plan.because }) };
  reportSent(output, `Sent ${message.id} to ${to}: ${media.name}, ${bytesText(media.bytes.size)}`, sent);
}

const contentTypeNames = { image: 'IMAGE', video: 'VIDEO', audio: 'AUDIO', file: 'FILE' } as const;
