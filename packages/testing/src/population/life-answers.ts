// Simulates how people answer developers and accept invitations.
import { type Message, operationTypes } from '@sealpost/contract';
import type { Hand } from './hand.ts';
import { acceptOnce, type Tools } from './life-talk.ts';
import { isShared, markRead } from './perform.ts';
import type { SettledPerson } from './residents.ts';
import { says } from './talk/turns.ts';

const SECOND = 1_000;
/** Probability that a member of a group answers a message of a developer. */
const ANSWERS_IN_GROUP = 0.15;
const QUOTES = 0.3;
const BACK_AFTER = 5 * SECOND;

/** Follows the operations of a person until the signal aborts. If the session ends, the person logs in again. */
export async function listen(tools: Tools, person: SettledPerson, hand: Hand, signal: AbortSignal): Promise<void> {
  try {
    await follow(tools, person, hand, signal);
  } finally {
    tools.later(BACK_AFTER, async () => void (await tools.residents.hand(person)));
  }
}

async function follow(tools: Tools, person: SettledPerson, hand: Hand, signal: AbortSignal): Promise<void> {
  for await (const event of (hand.sealing ?? hand.rpc).operations({ signal })) {
    if (event.kind !== 'operation') continue;
    const { type, message, param1 } = event.operation;
    if (type === operationTypes.RECEIVE_MESSAGE && message) hear(tools, person, hand, message);
    if (type === operationTypes.NOTIFIED_INVITE_INTO_CHAT && param1) {
      tools.later(tools.chance.between(2, 20) * SECOND, () => acceptOnce(hand, param1));
    }
  }
}

function hear(
  { chance, residents, later, speak }: Tools,
  person: SettledPerson,
  hand: Hand,
  { id, from, to }: Pick<Message, 'id' | 'from' | 'to'>,
): void {
  if (!residents.of(from)?.developer) return;
  const place = isShared(to) ? to : from;
  later(chance.between(1, 4) * SECOND, () => markRead(hand, place, id));
  if (isShared(to) && !chance.happens(ANSWERS_IN_GROUP)) return;
  const answer = says(chance.pick(person.language.answers));
  const quoted = chance.happens(QUOTES) ? id : undefined;
  later(chance.between(4, 15) * SECOND, async () => void (await speak(person, place, answer, quoted)));
}
