// Plans one conversation of the history: what is said, and how the others read it and react.
import type { Chance } from './chance.ts';
import type { PlannedChat } from './chats.ts';
import type { Deed } from './deeds.ts';
import type { Person } from './people.ts';
import { turnsOf } from './talk/turns.ts';

export interface Occasion {
  readonly place: PlannedChat;
  /** The members who take part, at least two. */
  readonly present: readonly Person[];
  readonly at: number;
  /** The number of the first message. */
  readonly firstMessage: number;
  readonly span: { readonly to: number };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Maximum number of people who talk in one conversation. */
const SPEAKERS = 4;
/** Maximum number of people who read a conversation to its end. */
const READERS = 3;
const READS = 0.8;
/**
 * Developers have not read messages of this last part of the history, so that their chat lists show unread messages.
 */
const UNREAD_OF_DEVELOPERS = DAY;

export function conversation({ place, present, at, firstMessage, span }: Occasion, chance: Chance): Deed[] {
  const chat = place.number;
  const speakers = chance.some(present, SPEAKERS);
  const deeds: Deed[] = [];
  const latest = new Map<Person, Deed>();
  let now = at;
  const turns = turnsOf({ language: place.language, topic: place.topic, speakers, present }, chance);
  turns.forEach((turn, i) => {
    const message = firstMessage + i;
    now += turn.pauseMs;
    const by = turn.by.number;
    if (i > 0) latest.set(turn.by, { at: now - SECOND, by, do: 'read', chat, message: message - 1 });
    const answer = turn.answers === undefined ? {} : { replyTo: firstMessage + turn.answers };
    deeds.push({ at: now, by, do: 'send', chat, message, content: turn.content, ...answer });
    for (const { by: other, reaction } of turn.reactions) {
      deeds.push({ at: now + soon(chance), by: other.number, do: 'react', message, reaction });
    }
    if (turn.takenBack) deeds.push({ at: now + 20 * MINUTE, by, do: 'unsend', message });
  });
  const last = firstMessage + turns.length - 1;
  for (const person of chance.some(present, READERS)) {
    if (!reads(person, now, span.to, chance)) continue;
    latest.set(person, { at: now + soon(chance), by: person.number, do: 'read', chat, message: last });
  }
  return [...deeds, ...latest.values()];
}

const soon = (chance: Chance): number => chance.between(2, 600) * SECOND;

function reads(person: Person, time: number, end: number, chance: Chance): boolean {
  return person.developer ? time < end - UNREAD_OF_DEVELOPERS : chance.happens(READS);
}
