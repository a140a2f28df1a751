// Formats a message as one line of text.
import { contentTypes, type Location, type Message } from '@sealpost/contract';
import type { OpenedMessage } from '@sealpost/sdk';
import type { Command } from 'commander';
import type { ConnectionOptions } from './connection.ts';
import { bytesText, durationText, localTime, oneLine, styled } from './output.ts';
import type { People } from './people.ts';
import { isSystemMessage, midsNamedIn, systemSentence } from './system-messages.ts';

/** Returns the mids of all people and chats whose names the lines of these messages contain. */
export const midsIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((m) => [m.from, m.to, ...midsNamedIn(m)]);

/** Returns the mid of a message's chat. In a one-to-one chat, this is the mid of the other person. */
export const chatOf = (message: Message, viewer: string): string =>
  message.to === viewer && message.from !== viewer ? message.from : message.to;

export interface LineOptions extends ConnectionOptions {
  /** True if each line has the id of its message, which commands for single messages need. */
  readonly ids?: boolean;
}

export const withLineOptions = (command: Command): Command =>
  command.option('--ids', 'show the id of each message, for react, unsend, forward and report');

export function messageLine(
  message: OpenedMessage,
  { viewer, people, options, now }: { viewer: string; people: People; options: LineOptions; now: number },
): string {
  const nameOf = (mid: string) => (mid === viewer ? 'you' : people.nameOf(mid));
  const chat = chatOf(message, viewer);
  // The line of a system message begins without a sender. No user can imitate such a line, because every line of a user
  // begins with a name.
  const from = isSystemMessage(message) ? '' : nameOf(message.from);
  const where = chat === message.from ? '' : ` → ${people.nameOf(chat)}`;
  const who = `${from}${where}`.trimStart();
  const time = styled('dim', localTime(message.createdTime, now));
  const id = options.ids ? `  ${styled('dim', message.id)}` : '';
  return `${time}${id}  ${styled('bold', who)}: ${contentOf(message, nameOf, commandAs(options))}`;
}

export function contentOf(message: OpenedMessage, nameOf: (mid: string) => string, command = commandAs()): string {
  const { sealing } = message;
  if (sealing.state === 'unopened') {
    return `[stays closed: ${sealing.cause}. What helps: ${sealing.remedy}]  ${command('doctor message', message.id)}`.trimEnd();
  }
  if (isSystemMessage(message)) return systemSentence(message, nameOf);
  const doubt = sealing.state === 'unproven' ? '[not proven: made with a key of nobody known in this chat] ' : '';
  return doubt + shownContent(message, command);
}

function shownContent(message: OpenedMessage, command: ReturnType<typeof commandAs>): string {
  if (message.text !== undefined && message.text !== '') return oneLine(message.text);
  if (isMedia(message)) return `[${mediaText(message)}]  ${command('download', message.id)}`.trimEnd();
  return `[${oneLine(facts(message))}]`;
}

/**
 * Returns a function that returns the command to type for a message. Without `options`, that function returns an empty
 * text, because lists show no commands.
 */
const commandAs =
  (options?: ConnectionOptions) =>
  (command: string, id: string): string => {
    if (!options) return '';
    return `sealpost ${command} ${id}${options.as === undefined ? '' : ` --as ${options.as}`}`;
  };

const MEDIA: readonly number[] = [contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE];

export const isMedia = ({ contentType }: Message): boolean => MEDIA.includes(contentType);

function mediaText({ contentType, contentMetadata }: Message): string {
  const { FILE_NAME, FILE_SIZE, DURATION } = contentMetadata;
  const details = [
    ...(FILE_NAME ? [oneLine(FILE_NAME)] : []),
    ...(Number(FILE_SIZE) > 0 ? [bytesText(Number(FILE_SIZE))] : []),
    ...(Number(DURATION) > 0 ? [durationText(Number(DURATION))] : []),
  ];
  return [nameOfType(contentType)?.toLowerCase(), details.join(', ')].join(' ').trimEnd();
}

function facts({ contentType, contentMetadata, location }: Message): string {
  if (contentMetadata.UNSENT) return 'taken back';
  switch (contentType) {
    case contentTypes.NONE:
      return 'empty';
    case contentTypes.STICKER:
      return `sticker ${contentMetadata.STKTXT ?? ''}`.trimEnd();
    case contentTypes.CONTACT:
      return `contact ${contentMetadata.displayName ?? ''} ${contentMetadata.mid ?? ''}`.trimEnd();
    case contentTypes.LOCATION:
      return `location ${placeText(location)}`.trimEnd();
    default:
      return unshown(contentType);
  }
}

function unshown(contentType: number): string {
  const name = nameOfType(contentType);
  if (name === undefined) return `A message of the unknown kind ${contentType}.`;
  return `A message of the kind ${name} (${contentType}), which this command does not show.`;
}

function placeText({ title, address, latitude, longitude }: Location = {}): string {
  const point = latitude === undefined || longitude === undefined ? undefined : `${latitude},${longitude}`;
  return [title, address, point].filter(Boolean).join(', ');
}

const nameOfType = (contentType: number): string | undefined =>
  Object.entries(contentTypes).find(([, number]) => number === contentType)?.[0];
