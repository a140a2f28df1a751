// Makes conversations from the texts of a language.
import { type Chance, itemAt } from '../chance.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { japanese } from './japanese.ts';
import type { Language, Topic } from './language.ts';
import { thai } from './thai.ts';

export const languages = [english, japanese, chinese, thai] as const;

/** A multiple of every possible number of forms. So a random number below it selects each form equally often. */
const FORMS = 12;

export interface Line {
  readonly text: string;
  /** True if the speaker of the line before also says this line. */
  readonly goesOn: boolean;
}

/** Returns the lines of a conversation, in their order. */
export function sceneOf(language: Language, topic: Topic, chance: Chance): Line[] {
  const drawn = new Map<string, string>();
  const wordFor = (name: string): string => {
    const word = drawn.get(name) ?? chance.pick(language.words[name] ?? [name]);
    drawn.set(name, word);
    return word;
  };
  const form = chance.below(FORMS);
  return chance
    .pick(language.scenes[topic])
    .split('\n')
    .map((line) => {
      const goesOn = line.startsWith('+');
      const forms = line.slice(goesOn ? 1 : 0).split('|');
      const said = itemAt(forms, form % forms.length).replace(/\{(\w+)\}/g, (_, name: string) => wordFor(name));
      return { text: capitalized(said), goesOn };
    });
}

/** Returns the line with a capital letter at its beginning. Scripts without capital letters stay as they are. */
const capitalized = (line: string): string => line.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
