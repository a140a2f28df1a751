// The turns of a conversation: the speaker and content of each turn, and the reactions of the others.
import type { Chance } from '../chance.ts';
import type { Content, Reaction } from '../deeds.ts';
import type { Person } from '../people.ts';
import type { Language, Topic } from './language.ts';
import { sceneOf } from './scenes.ts';

export interface Turn {
  readonly by: Person;
  readonly content: Content;
  /** Milliseconds since the previous turn. */
  readonly pauseMs: number;
  /** The index in the conversation of the message that this one answers; undefined for most messages. */
  readonly answers: number | undefined;
  readonly reactions: readonly { readonly by: Person; readonly reaction: Reaction }[];
  /** True if the speaker unsends the message soon. */
  readonly takenBack: boolean;
}

/** Probability of each form that replaces a line of text, or comes along with it. */
const ODDS = {
  sticker: 0.05,
  picture: 0.012,
  file: 0.004,
  place: 0.004,
  contact: 0.002,
  answers: 0.08,
  mention: 0.12,
  reaction: 0.14,
  takenBack: 0.006,
} as const;
const REACTIONS: readonly Reaction[] = ['NICE', 'NICE', 'LOVE', 'LOVE', 'FUN', 'AMAZING', 'SAD', 'OMG'];
/** The packs that every account owns, with their stickers. */
const STICKERS = [
  { packageId: '1', first: 1, count: 16 },
  { packageId: '2', first: 101, count: 8 },
] as const;
/** Number of different photos. */
const PHOTOS = 60;
const LEAST_PAUSE_MS = 4_000;
const USUAL_PAUSE_MS = 70_000;

export interface Talk {
  readonly language: Language;
  readonly topic: Topic;
  /** The people who may speak, at least one. */
  readonly speakers: readonly Person[];
  /** The people who read the conversation, speakers included. */
  readonly present: readonly Person[];
}

/** Returns the turns of a conversation. */
export function turnsOf(talk: Talk, chance: Chance): Turn[] {
  const turns: Turn[] = [];
  let last: Person | undefined;
  for (const { text, goesOn } of sceneOf(talk.language, talk.topic, chance)) {
    const by = last && goesOn ? last : speakerAfter(last, talk.speakers, chance);
    last = by;
    const content = contentOf(text, by, talk, chance);
    const answers = turns.length > 1 && chance.happens(ODDS.answers) ? chance.below(turns.length) : undefined;
    turns.push({
      by,
      content,
      pauseMs: pauseOf(chance),
      answers: content.kind === 'text' ? answers : undefined,
      reactions: reactionsOf(talk.present, by, chance),
      takenBack: chance.happens(ODDS.takenBack),
    });
  }
  return turns;
}

/** Returns the next speaker: somebody other than the last speaker, unless there is nobody else. */
function speakerAfter(last: Person | undefined, speakers: readonly Person[], chance: Chance): Person {
  const others = speakers.filter((person) => person !== last);
  return chance.pick(others.length > 0 ? others : speakers);
}

const pauseOf = (chance: Chance): number =>
  LEAST_PAUSE_MS + Math.floor(-Math.log(1 - chance.fraction()) * USUAL_PAUSE_MS);

const KINDS = ['sticker', 'picture', 'file', 'place', 'contact', 'text'] as const;
const SPECIAL = ODDS.sticker + ODDS.picture + ODDS.file + ODDS.place + ODDS.contact;

function contentOf(line: string, by: Person, { language, present }: Talk, chance: Chance): Content {
  const others = present.filter((person) => person !== by);
  switch (chance.weighted(KINDS, (kind) => (kind === 'text' ? 1 - SPECIAL : ODDS[kind]))) {
    case 'sticker':
      return sticker(chance);
    case 'picture':
      return { kind: 'picture', name: `photo-${1 + chance.below(PHOTOS)}` };
    case 'file':
      return { kind: 'file', name: `${chance.pick(language.files)}.txt`, text: line };
    case 'place':
      return place(language, chance);
    case 'contact':
      return { kind: 'contact', person: chance.pick(present).number };
    case 'text':
      return others.length > 1 && chance.happens(ODDS.mention) ? mention(chance.pick(others), line) : says(line);
  }
}

export const says = (text: string): Content => ({ kind: 'text', text });

const mention = ({ name, number }: Person, line: string): Content => ({
  kind: 'text',
  text: `@${name} ${line}`,
  mentions: [number],
});

function sticker(chance: Chance): Content {
  const { packageId, first, count } = chance.pick(STICKERS);
  return { kind: 'sticker', packageId, stickerId: String(first + chance.below(count)) };
}

/** Returns a place at sea, so that it is nobody's home. */
const place = (language: Language, chance: Chance): Content => ({
  kind: 'place',
  title: chance.pick(language.words.place ?? ['']),
  latitude: -30 - chance.below(1000) / 100,
  longitude: -120 - chance.below(1000) / 100,
});

const reactionsOf = (present: readonly Person[], by: Person, chance: Chance): Turn['reactions'] =>
  chance.happens(ODDS.reaction)
    ? chance
        .some(
          present.filter((person) => person !== by && !person.developer),
          chance.between(1, Math.min(3, present.length)),
        )
        .map((person) => ({ by: person, reaction: chance.pick(REACTIONS) }))
    : [];
