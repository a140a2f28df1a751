// Guesses the topic and the language of a group that is not in the plan: anybody may have created or renamed a group.
import type { Person } from '../people.ts';
import { english } from './english.ts';
import type { Language, Topic } from './language.ts';
import { languages } from './scenes.ts';

const TOPICS: readonly Topic[] = ['friends', 'family', 'team', 'club'];

/** Returns the topic and the language of a chat, by its name and members. */
export function subjectOf(name: string, members: readonly Person[]): { topic: Topic; language: Language } {
  for (const language of languages) {
    const topic = TOPICS.find((each) => language.chatNames[each].includes(name));
    if (topic) return { topic, language };
  }
  const spoken = (language: Language): number => members.filter((person) => person.language === language).length;
  const language = languages.reduce<Language>((most, each) => (spoken(each) > spoken(most) ? each : most), english);
  return { topic: 'friends', language };
}
