// The people of a population: names, languages, keys, and who knows whom. Everything follows from the seed.
import { createRecoveryPassphrase, KEY_LENGTH, type KeyPair, keyPairOf } from '@sealpost/crypto';
import { seededRandom } from '../seed/seeded-random.ts';
import { type Chance, chanceOf, itemAt } from './chance.ts';
import type { Language } from './talk/language.ts';
import { languages } from './talk/scenes.ts';

export interface Person {
  /** The index among all people; developers come first. */
  readonly number: number;
  readonly userid: string;
  readonly password: string;
  readonly name: string;
  readonly language: Language;
  /** The status message; empty for people without one. */
  readonly status: string;
  readonly hasPicture: boolean;
  /** True if a developer uses the account. After the history, the simulation sends nothing for this person. */
  readonly developer: boolean;
  /** The key of Letter Sealing; undefined for people who do not seal. */
  readonly keys: KeyPair | undefined;
  /**
   * The passphrase with which another device, such as a browser, restores the keys; undefined for people who do not
   * seal.
   */
  readonly recoveryPassphrase: string | undefined;
}

/** The relative frequencies of the languages, in the order of `languages`. */
const LANGUAGE_SHARES = [4, 2, 2, 2] as const;
/**
 * Number of consecutive people in a block. In each block, either all seal messages or nobody does, so that whole
 * families seal.
 */
const SEALING_BLOCK = 6;
const EVERY_PLAIN_BLOCK = 3;

/** Returns the people of a seed: the developers' accounts first, and `count` others after them. */
export function peopleOf(seed: number, count: number, developers: readonly string[]): Person[] {
  const chance = chanceOf(seed, 'people');
  const taken = new Map<string, number>();
  const spoken = spokenBy(count);
  return [
    ...developers.map((userid, number) => personOf(seed, { number, userid, language: itemAt(languages, 0) })),
    ...spoken.map((language, at) => {
      const [name, userid] = nameOf(language, taken, chance);
      return personOf(seed, { number: developers.length + at, userid, name, language, at });
    }),
  ];
}

interface Known {
  readonly number: number;
  readonly userid: string;
  readonly name?: string;
  readonly language: Language;
  /** The index among those who are not developers; undefined for a developer. */
  readonly at?: number;
}

function personOf(seed: number, { number, userid, language, at, name = displayNameOf(userid) }: Known): Person {
  const developer = at === undefined;
  const seals = !developer && Math.floor(at / SEALING_BLOCK) % EVERY_PLAIN_BLOCK !== EVERY_PLAIN_BLOCK - 1;
  const random = seededRandom(`population ${seed} keys of ${userid}`);
  const own = chanceOf(seed, `profile of ${userid}`);
  return {
    number,
    userid,
    password: `${userid}-sealpost`,
    name,
    language,
    status: own.happens(0.75) ? own.pick(language.statuses) : '',
    hasPicture: own.happens(0.9),
    developer,
    keys: seals ? keyPairOf(random.bytes(KEY_LENGTH)) : undefined,
    recoveryPassphrase: seals ? createRecoveryPassphrase((length) => random.bytes(length)) : undefined,
  };
}

const displayNameOf = (userid: string): string => `${userid.charAt(0).toUpperCase()}${userid.slice(1)}`;

/** Returns the language of each person. People with neighbouring numbers mostly speak the same language. */
function spokenBy(count: number): Language[] {
  const all = LANGUAGE_SHARES.reduce((sum, share) => sum + share, 0);
  const spoken = languages.flatMap((language, i) =>
    Array.from<Language>({ length: Math.round((count * itemAt(LANGUAGE_SHARES, i)) / all) }).fill(language),
  );
  return Array.from({ length: count }, (_, at) => spoken[at] ?? itemAt(languages, 0));
}

/** Returns a name that nobody has yet. When all names are taken, a letter is added to the name. */
function nameOf({ names }: Language, taken: Map<string, number>, chance: Chance): [name: string, userid: string] {
  const least = Math.min(...names.map(([, userid]) => taken.get(userid) ?? 0));
  const [name, userid] = chance.pick(names.filter(([, id]) => (taken.get(id) ?? 0) === least));
  taken.set(userid, least + 1);
  if (least === 0) return [name, userid];
  const letter = letterOf(least);
  return [`${name} ${letter}.`, `${userid}-${letter.toLowerCase()}`];
}

/** Returns A, B … Z, AA, AB … */
const letterOf = (n: number): string =>
  n > 26 ? letterOf(Math.floor((n - 1) / 26)) + letterOf(((n - 1) % 26) + 1) : String.fromCharCode(64 + n);

/** Two people who know each other, by their numbers; the smaller number is first. */
export type Friendship = readonly [number, number];

/** Number of neighbours that everybody knows on each side. Neighbours are people with adjacent numbers. */
const NEIGHBOURS = 3;
/** Probability that a friend is any person instead of a neighbour. */
const FAR = 0.15;
/** Number of further friends of each developer, besides the neighbours. */
const MORE_OF_DEVELOPERS = 8;

/** Returns who knows whom: a small world, in which most friends are neighbours and a few are far away. */
export function friendshipsOf(seed: number, people: readonly Person[]): Friendship[] {
  const chance = chanceOf(seed, 'friendships');
  const found = new Map<string, Friendship>();
  const add = (a: number, b: number): void => {
    const pair: Friendship = a < b ? [a, b] : [b, a];
    if (a !== b) found.set(pair.join(), pair);
  };
  for (const { number } of people) {
    for (let step = 1; step <= NEIGHBOURS; step++) {
      const neighbour = (number + step) % people.length;
      add(number, chance.happens(FAR) ? chance.below(people.length) : neighbour);
    }
  }
  for (const { number } of people.filter(({ developer }) => developer)) {
    for (const friend of chance.some(people, MORE_OF_DEVELOPERS)) add(number, friend.number);
  }
  return [...found.values()];
}
