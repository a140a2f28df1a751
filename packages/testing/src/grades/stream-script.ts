// Replaces the server's operation stream in scenarios that need events which the server itself never sends.
import { type Message, operationTypes } from '@sealpost/contract';
import type { Fields } from './calls.ts';
import type { Friend } from './friend.ts';
import { CLIENT, type Stage } from './stage.ts';

/** Returns an operation as the stream carries it. */
export const operationEvent = (operation: Fields): string => `data: ${JSON.stringify(operation)}\n\n`;

/** Returns an event with a name. */
export const namedEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Returns the operation with which a message reaches the client. */
export const received = (revision: string | number, message: Message, more: Fields = {}): Fields => ({
  revision,
  createdTime: message.createdTime,
  type: operationTypes.RECEIVE_MESSAGE,
  reqSeq: 0,
  status: 0,
  message,
  ...more,
});

/**
 * Makes the client open its stream again, and answers with exactly these events. Then this stream ends, and the next
 * one comes from the server as usual.
 */
export async function scriptStream(stage: Stage, ...events: readonly string[]): Promise<void> {
  const fault = stage.fault('operationReceive', {
    answer: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: events.join('') },
    times: 1,
  });
  await stage.server.trigger({ account: CLIENT, event: 'cut' });
  await stage.reached('open the operation stream again after it was cut', () => {
    const fired = stage.server.faults.find(({ id }) => id === fault.id);
    // A missing fault counts as fired, because a used-up fault may leave the list.
    return fired === undefined || fired.fired > 0 ? true : undefined;
  });
}

/** Returns the last revision of the client's log. */
export async function lastRevision(stage: Stage): Promise<number> {
  return Number((await stage.server.operations(CLIENT)).at(-1)?.revision ?? 0);
}

/** Returns a message that the server never stored, for streams that a scenario writes itself. */
export function madeUp(stage: Stage, ann: Friend, text: string, more: Fields = {}): Message {
  const time = String(stage.server.clock.now());
  const fields = {
    from: ann.mid,
    to: stage.account.mid,
    toType: 0,
    id: madeUpId(text),
    createdTime: time,
    deliveredTime: time,
  };
  const content = { text, contentType: 0, contentMetadata: {}, hasContent: false, sessionId: 0 };
  return { ...fields, ...content, ...more } as unknown as Message;
}

/** Returns an id that is computed from a text, so it is always the same for the same text. */
const madeUpId = (text: string): string =>
  `17${[...text]
    .reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1e12, 7)
    .toString()
    .padStart(14, '0')}`;
