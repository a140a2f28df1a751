// Turns messages of the server about a group (content type CHATEVENT) into sentences.
import { contentTypes, isMid, type Message } from '@sealpost/contract';
import { oneLine } from './output.ts';

const ARGUMENT_SEPARATOR = '\x1e';

type Sentence = (actor: string, other: string) => string;

const invited: Sentence = (actor, other) => `${actor} invited ${other}.`;
const joined: Sentence = (actor) => `${actor} joined.`;
const left: Sentence = (actor) => `${actor} left.`;
const removed: Sentence = (actor, other) => `${actor} removed ${other}.`;

/** The functions that make the sentences, by the key of the system message. */
const sentences: Readonly<Record<string, Sentence>> = {
  C_PN: (actor, name) => `${actor} renamed the chat to "${name}".`,
  C_GI: invited,
  C_MI: invited,
  C_IC: (actor, other) => `${actor} withdrew the invitation of ${other}.`,
  C_MJ: joined,
  A_MJ: joined,
  C_ML: left,
  A_ML: left,
  C_MR: removed,
  A_MR: removed,
};

export const isSystemMessage = ({ contentType }: Message): boolean => contentType === contentTypes.CHATEVENT;

const argumentsOf = ({ contentMetadata }: Message): string[] =>
  (contentMetadata.LOC_ARGS ?? '').split(ARGUMENT_SEPARATOR);

/** Returns the mids of the people whom a system message names. */
export const midsNamedIn = (message: Message): string[] =>
  isSystemMessage(message) ? argumentsOf(message).filter(isMid) : [];

/**
 * Returns the sentence for a system message.
 * @param nameOf returns the name of a mid, or "you"
 */
export function systemSentence(message: Message, nameOf: (mid: string) => string): string {
  const key = message.contentMetadata.LOC_KEY ?? '';
  const names = argumentsOf(message).map((argument) => (isMid(argument) ? nameOf(argument) : oneLine(argument)));
  // Some servers name only the person who is affected. In this case, the sender of the message is the person who acted.
  const [actor = '', other = ''] = names.length > 1 ? names : [nameOf(message.from), names[0]];
  const sentence = Object.hasOwn(sentences, key) ? sentences[key] : undefined;
  return sentence?.(actor, other) ?? `The server reports an unknown event in this chat (${oneLine(key) || 'no key'}).`;
}
