// Plans the history of a population: a list of deeds in the order of time, up to `endsAt`.
import { type Chance, chanceOf, itemAt } from './chance.ts';
import { chatsOf, type PlannedChat } from './chats.ts';
import type { Action, Deed } from './deeds.ts';
import { conversation } from './history-talk.ts';
import { type ChatMembers, membershipOf } from './membership.ts';
import { type Friendship, friendshipsOf, type Person, peopleOf } from './people.ts';
import { timeOfTalk } from './rhythm.ts';

export interface HistoryOptions {
  readonly seed: number;
  /** Number of people besides the developers. */
  readonly people: number;
  /** User ids of accounts that developers use. These accounts take part in the history, and never seal messages. */
  readonly developers: readonly string[];
  readonly years: number;
  /** Approximate number of messages in the history. */
  readonly messages: number;
  /** The time when the history ends, in epoch milliseconds. */
  readonly endsAt: number;
}

export interface History {
  readonly people: readonly Person[];
  readonly chats: readonly PlannedChat[];
  readonly deeds: readonly Deed[];
  readonly startsAt: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
/** Milliseconds in which everybody arrives and finds friends. Conversations begin after this time. */
const ARRIVAL = DAY;

/** The period in which conversations happen. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function planHistory(options: HistoryOptions): History {
  const { seed, years, endsAt } = options;
  const startsAt = Math.floor(endsAt - years * YEAR);
  const span = { from: startsAt + ARRIVAL, to: endsAt };
  const people = peopleOf(seed, options.people, options.developers);
  const friendships = friendshipsOf(seed, people);
  const chats = chatsOf(seed, people, friendships);
  const memberships = chats.map((chat) => membershipOf(seed, chat, span));
  const deeds = [
    ...arrivals(people, friendships, startsAt),
    ...memberships.flatMap(({ deeds: ofChat }) => ofChat),
    ...tastes(chanceOf(seed, 'tastes'), people, friendships, memberships, span),
    ...talks(options, people, memberships, span),
  ];
  return {
    people,
    chats,
    startsAt,
    // Each deed refers only to earlier deeds, so deeds after the end can be left out.
    deeds: deeds.filter(({ at }) => at < endsAt).sort((a, b) => a.at - b.at),
  };
}

/** Returns the deeds by which people arrive and friends then add each other. */
function arrivals(people: readonly Person[], friendships: readonly Friendship[], startsAt: number): Deed[] {
  const gap = Math.min(MINUTE, HOUR / people.length);
  const friendGap = Math.min(MINUTE, (ARRIVAL - 2 * HOUR) / (2 * friendships.length + 1));
  const at = (n: number) => Math.floor(startsAt + 2 * HOUR + n * friendGap);
  return [
    ...people.map(({ number }): Deed => ({ at: Math.floor(startsAt + number * gap), by: number, do: 'arrive' })),
    ...friendships.flatMap(([a, b], i): Deed[] => [
      { at: at(2 * i), by: a, do: 'befriend', person: b },
      { at: at(2 * i + 1), by: b, do: 'befriend', person: a },
    ]),
  ];
}

/** Returns the deeds by which people mark favourites, mute chats and block others. */
function tastes(
  chance: Chance,
  people: readonly Person[],
  friendships: readonly Friendship[],
  memberships: readonly ChatMembers[],
  { from, to }: Span,
): Deed[] {
  const deeds: Deed[] = [];
  const some = (by: number, probability: number, action: Action, earliest = from): void => {
    if (chance.happens(probability)) {
      deeds.push({ at: Math.floor(earliest + chance.fraction() * (to - earliest)), by, ...action });
    }
  };
  for (const [a, b] of friendships) {
    some(a, 0.12, { do: 'favour', person: b });
    some(b, 0.12, { do: 'favour', person: a });
    some(b, 0.05, { do: 'mute', person: a });
  }
  for (const { chat, membersAt } of memberships) {
    if (chat.kind === 'pair') continue;
    for (const by of membersAt(to - HOUR)) {
      some(by, 0.12, { do: 'favourChat', chat: chat.number }, to - HOUR);
      some(by, 0.1, { do: 'muteChat', chat: chat.number }, to - HOUR);
    }
  }
  const known = new Set(friendships.map((pair) => pair.join()));
  for (const { number, developer } of people) {
    const stranger = chance.below(people.length);
    const isStranger =
      stranger !== number && !known.has(`${number},${stranger}`) && !known.has(`${stranger},${number}`);
    if (isStranger && !developer) some(number, 0.12, { do: 'block', person: stranger });
  }
  return deeds;
}

/** Returns the deeds of all conversations. Chats with more weight have more conversations. */
function talks(
  { seed, messages }: HistoryOptions,
  people: readonly Person[],
  memberships: readonly ChatMembers[],
  span: Span,
): Deed[] {
  const chance = chanceOf(seed, 'talks');
  const deeds: Deed[] = [];
  const weightOf = ({ chat }: ChatMembers): number => chat.weight * (1.05 - chat.since);
  for (let sent = 0; sent < messages; ) {
    const place = chance.weighted(memberships, weightOf);
    const { hoursAhead } = place.chat.language;
    const at = timeOfTalk(chance, Math.min(place.since + HOUR, span.to - HOUR), span.to, hoursAhead);
    const present = place.membersAt(at).map((number) => itemAt(people, number));
    const said =
      present.length > 1 ? conversation({ place: place.chat, present, at, firstMessage: sent, span }, chance) : [];
    deeds.push(...said);
    sent += said.filter((deed) => deed.do === 'send').length;
    // If the only chat has no members at that time, choosing it again and again would never end.
    if (said.length === 0 && memberships.length === 1) break;
  }
  return deeds;
}
