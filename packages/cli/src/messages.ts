// A message on one line.
import { contentTypes, type Message } from '@sealpost/contract';
import { localTime, oneLine } from './output.ts';
import type { People } from './people.ts';

/** The people and chats that a line about the message names. */
export const midsIn = (messages: readonly Message[]): string[] => messages.flatMap((m) => [m.from, m.to]);

/** The chat of a message from the viewer's side. */
export const chatOf = (message: Message, viewer: string): string =>
  message.to === viewer && message.from !== viewer ? message.from : message.to;

export function messageLine(message: Message, viewer: string, people: People, now: number): string {
  const from = message.from === viewer ? 'you' : people.nameOf(message.from);
  const chat = chatOf(message, viewer);
  const where = chat === message.from ? '' : ` → ${people.nameOf(chat)}`;
  return `${localTime(message.createdTime, now)}  ${from}${where}: ${contentOf(message)}`;
}

export function contentOf(message: Message): string {
  if (message.text !== undefined && message.text !== '') return oneLine(message.text);
  if (message.chunks?.length) return '[sealed]';
  const name = Object.entries(contentTypes).find(([, number]) => number === message.contentType)?.[0];
  return message.contentType === contentTypes.NONE ? '[empty]' : `[${(name ?? 'unknown').toLowerCase()}]`;
}
