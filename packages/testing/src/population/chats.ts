// Plans the chats of a population: who talks with whom, how much, and from when on.
import { type Chance, chanceOf, itemAt } from './chance.ts';
import type { Friendship, Person } from './people.ts';
import type { Language, Topic } from './talk/language.ts';

export interface PlannedChat {
  /** The index of the chat among all chats of the population. */
  readonly number: number;
  readonly kind: 'pair' | 'group' | 'room';
  readonly topic: Topic;
  /** The language that people use in the chat. */
  readonly language: Language;
  /** The name; empty for a chat of two. */
  readonly name: string;
  /** The numbers of the first members. The first of them creates a group. */
  readonly members: readonly number[];
  /** The numbers of people who join later. If all first members can seal messages, these people can too. */
  readonly later: readonly number[];
  readonly hasPicture: boolean;
  /** The amount of talk in the chat, compared with other chats. */
  readonly weight: number;
  /** The time when the chat begins, as a share of the whole time: 0 is the beginning, 1 the end. */
  readonly since: number;
}

/** Maximum number of members when the club begins. A population has one club. */
const CLUB = 40;
const CLUB_SHARE = 0.8;
/** Number of people in the population for each family, team, group of friends and room. */
const PEOPLE_PER = { family: 10, team: 12, friends: 14, room: 16 } as const;
const SIZES = { family: [3, 5], team: [5, 8], friends: [4, 7], room: [3, 4] } as const;
/** Share of the friendships that have a chat of two. */
const TALKING_FRIENDS = 0.85;

type Draft = Omit<PlannedChat, 'number'>;

export function chatsOf(seed: number, people: readonly Person[], friendships: readonly Friendship[]): PlannedChat[] {
  const chance = chanceOf(seed, 'chats');
  const developers = people.filter(({ developer }) => developer);
  const drafts: Draft[] = [
    ...friendships
      .filter(([a, b]) => isDeveloper(people, a, b) || chance.happens(TALKING_FRIENDS))
      .map((pair) => pairChat(chance, people, pair)),
    ...groupsOf(chance, people, 'family'),
    ...groupsOf(chance, people, 'team'),
    ...groupsOf(chance, people, 'friends'),
    ...roomsOf(chance, people),
    ...(people.length > 2 ? [clubOf(chance, people)] : []),
    ...(developers.length > 0 && people.length > 3 ? [tableOf(chance, people, developers)] : []),
  ];
  return drafts.map((draft, number) => ({ ...draft, number }));
}

const isDeveloper = (people: readonly Person[], ...numbers: readonly number[]): boolean =>
  numbers.some((number) => itemAt(people, number).developer);

function pairChat(chance: Chance, people: readonly Person[], members: Friendship): Draft {
  const { language } = itemAt(people, chance.pick(members));
  // A few chats of two have most of the messages, as among real people.
  const weight = 0.15 / (0.05 + chance.fraction()) + (isDeveloper(people, ...members) ? 1.5 : 0);
  return { ...plain('pair', 'friends', language), members, weight, since: chance.fraction() ** 2 * 0.8 };
}

const plain = (kind: PlannedChat['kind'], topic: Topic, language: Language) =>
  ({ kind, topic, language, name: '', later: [], hasPicture: false }) as const;

function groupsOf(chance: Chance, people: readonly Person[], topic: 'family' | 'team' | 'friends'): Draft[] {
  const count = Math.max(1, Math.round(people.length / PEOPLE_PER[topic]));
  const [least, most] = SIZES[topic];
  return Array.from({ length: count }, () => {
    const first = itemAt(people, chance.below(people.length));
    const near = neighboursOf(people, first, chance.between(least, most) - 1);
    const members = [first, ...near];
    return {
      ...plain('group', topic, first.language),
      name: chance.pick(first.language.chatNames[topic]),
      members: numbersOf(members),
      later: chance.happens(0.5) ? numbersOf(joinersOf(chance, people, members, 1)) : [],
      hasPicture: chance.happens(0.7),
      weight: 1.5 + 3 * chance.fraction(),
      since: topic === 'family' ? 0 : chance.fraction() * 0.7,
    };
  });
}

function roomsOf(chance: Chance, people: readonly Person[]): Draft[] {
  return Array.from({ length: Math.round(people.length / PEOPLE_PER.room) }, () => {
    const first = itemAt(people, chance.below(people.length));
    const members = [first, ...neighboursOf(people, first, chance.between(...SIZES.room) - 1)];
    const room = { ...plain('room', 'friends', first.language), members: numbersOf(members) };
    return { ...room, weight: 0.6, since: 0.3 + chance.fraction() * 0.6 };
  });
}

function clubOf(chance: Chance, people: readonly Person[]): Draft {
  const language = itemAt(people, 0).language;
  const members = chance.some(people, Math.min(CLUB, Math.round(people.length * CLUB_SHARE)));
  return {
    ...plain('group', 'club', language),
    name: chance.pick(language.chatNames.club),
    members: numbersOf(members),
    later: numbersOf(joinersOf(chance, people, members, 3)),
    hasPicture: true,
    weight: 10,
    since: 0.05,
  };
}

/** Returns the group of the developers' accounts and some of the people. */
function tableOf(chance: Chance, people: readonly Person[], developers: readonly Person[]): Draft {
  const { language } = itemAt(developers, 0);
  const others = people.filter((person) => !person.developer && person.language === language);
  return {
    ...plain('group', 'friends', language),
    name: 'Friends',
    members: numbersOf([...developers, ...chance.some(others, 4)]),
    hasPicture: true,
    weight: 6,
    since: 0.02,
  };
}

const numbersOf = (people: readonly Person[]): number[] => people.map(({ number }) => number);

/**
 * Returns the next people after a person, in their order. They seal messages if that person does, and do not if that
 * person does not. If there are too few such people, others are taken too.
 */
function neighboursOf(people: readonly Person[], first: Person, count: number): Person[] {
  const after = [...people.slice(first.number + 1), ...people.slice(0, first.number)];
  const alike = after.filter((person) => isAlike(person, first));
  return (alike.length >= count ? alike : after).slice(0, count);
}

function joinersOf(chance: Chance, people: readonly Person[], members: readonly Person[], count: number): Person[] {
  const sealed = members.every(({ keys }) => keys);
  const fitting = people.filter((person) => !members.includes(person) && (!sealed || person.keys));
  return chance.some(fitting, count);
}

const isAlike = (a: Person, b: Person): boolean => (a.keys === undefined) === (b.keys === undefined);
