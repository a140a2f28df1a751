// Commands for single messages: react, unsend, forward.
import { contentTypes, predefinedReactionTypes, type ReactionType, sticonResourceTypes } from '@sealpost/contract';
import type { OpenedMessage, SendMode, SentMessage } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type Connection, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { namesOf, nameTyped } from '../../enum-names.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { findMessage, messageId } from '../../find-message.ts';
import { resolveAny } from '../../groups.ts';
import { transfer } from '../../media/transfer.ts';
import { isMedia } from '../../messages.ts';
import { createOutput, type Output, oneLine } from '../../output.ts';
import { type ModeOptions, modeOf, reportSent, withModeOptions } from '../../send-mode.ts';

interface ReactOptions extends ConnectionOptions {
  readonly remove?: boolean;
}

const MESSAGE = '<message>';
const MESSAGE_IS = 'message id, as listen and history print it with --ids';

export function addMessageCommands(program: Command): void {
  withConnectionOptions(program.command('react'))
    .description('react to a message; a later reaction replaces an earlier one')
    .argument(MESSAGE, MESSAGE_IS)
    .argument('[reaction]', `${namesOf(predefinedReactionTypes).join(', ')}, or an emoji as <pack>/<emoji>`)
    .option('--remove', 'take your reaction away')
    .action(react);
  withConnectionOptions(program.command('unsend'))
    .description('unsend one of your messages; everybody sees that it was taken back')
    .argument(MESSAGE, MESSAGE_IS)
    .action(unsend);
  withModeOptions(withConnectionOptions(program.command('forward')))
    .description('send a message on to another chat, sealed as that chat wants it')
    .argument(MESSAGE, MESSAGE_IS)
    .argument('<to>', 'a mid, a user id, or the name of a group')
    .action(forward);
}

async function react(message: string, name: string | undefined, options: ReactOptions): Promise<void> {
  if ((name === undefined) === !options.remove) {
    throw new CliError('Name either one reaction or --remove.', exitCodes.usage);
  }
  const id = messageId(message);
  const reactionType = name === undefined ? undefined : reactionOf(name);
  await asUser(options, async ({ client }) => {
    const reqSeq = client.nextReqSeq();
    if (reactionType) await client.TalkService.react({ reqSeq, messageId: id, reactionType });
    else await client.TalkService.cancelReaction({ reqSeq, messageId: id });
    const told = reactionType ? `Reacted to ${id} with ${name}.` : `Took the reaction to ${id} away.`;
    createOutput(options).print(told, { messageId: id, ...(reactionType && { reactionType }) });
  });
}

function reactionOf(text: string): ReactionType {
  const name = nameTyped(predefinedReactionTypes, text);
  if (name) return { predefinedReactionType: predefinedReactionTypes[name] };
  const [, productId, emojiId] = /^([\w-]+)\/(\w+)$/.exec(text) ?? [];
  if (productId !== undefined && emojiId !== undefined)
    return { paidReactionType: { productId, emojiId, resourceType: sticonResourceTypes.STATIC, version: 1 } };
  throw new CliError(
    `A reaction is ${namesOf(predefinedReactionTypes).join(', ')}, or <pack>/<emoji>, not "${text}".`,
    exitCodes.usage,
  );
}

async function unsend(message: string, options: ConnectionOptions): Promise<void> {
  const id = messageId(message);
  await asUser(options, ({ client }) => client.TalkService.unsendMessage(client.nextReqSeq(), id));
  createOutput(options).print(`Took ${id} back.`, { messageId: id });
}

async function forward(id: string, to: string, options: ConnectionOptions & ModeOptions): Promise<void> {
  const output = createOutput(options);
  const mode = modeOf(options);
  await asUser(options, async (connection) => {
    const { client, sealing } = connection;
    const [message] = await sealing.openAll([await findMessage(client, id)]);
    if (!message || message.sealing.state === 'unopened')
      throw new CliError(`The message ${id} stays closed, so it cannot be sent on. See: sealpost doctor message ${id}`);
    const mid = await resolveAny(connection, to);
    const sent = isMedia(message)
      ? await forwardFile(connection, output, message, { to: mid, mode })
      : await sealing.send({ to: mid, ...contentOf(message) }, mode);
    reportSent(output, `Sent ${id} on to ${to} as ${sent.message.id}`, sent);
  });
}

/** Returns the content of a message without media. */
function contentOf({ text, location, contentType, contentMetadata }: OpenedMessage) {
  if (contentMetadata.UNSENT) throw new CliError('This message was taken back, so there is nothing to send on.');
  if (contentType === contentTypes.CHATEVENT)
    throw new CliError('This is a message of the server about its chat, which cannot be sent on.');
  const { e2eeVersion: _version, ...metadata } = contentMetadata;
  return {
    contentType,
    contentMetadata: metadata,
    ...(text !== undefined && { text }),
    ...(location && { location }),
  };
}

/**
 * Sends the file of a message to another chat. The file is not changed, because its first sender has decided which
 * metadata it contains.
 */
async function forwardFile(
  { client, sealing }: Connection,
  output: Output,
  message: OpenedMessage,
  { to, mode }: { to: string; mode: SendMode },
): Promise<SentMessage> {
  return transfer(output, `message ${message.id}`, async (control) => {
    const media = client.media(sealing);
    const opened = await media.open(message, { signal: control.signal });
    const name = opened.name ?? opened.kind;
    control.label(oneLine(name));
    const bytes = { size: opened.size, stream: () => opened.bytes() };
    const plan = await sealing.formFor({ to, contentType: message.contentType }, mode);
    const duration = Number(message.contentMetadata.DURATION);
    const file = { kind: opened.kind, name, bytes, ...(duration > 0 && { duration }) };
    const sent = await media.send(to, file, { ...control, mode, keepMetadata: true });
    const sealed = sent.chunks !== undefined;
    return { message: sent, sealed, ...(sealed || plan.sealed ? {} : { plainBecause: plan.because }) };
  });
}
