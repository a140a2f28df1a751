// The texts of one language. The texts are data; `scenes.ts` makes conversations from them.

/** The purpose of a chat, which decides what people say there. */
export type Topic = 'friends' | 'family' | 'team' | 'club';

export interface Language {
  readonly code: 'en' | 'ja' | 'zh' | 'th';
  readonly regionCode: string;
  /** Hours by which the clocks of these people are ahead of UTC. */
  readonly hoursAhead: number;
  /** Given names, each with the user id made of it. */
  readonly names: readonly (readonly [name: string, userid: string])[];
  readonly statuses: readonly string[];
  readonly chatNames: Readonly<Record<Topic, readonly string[]>>;
  /** Words that replace placeholders such as `{name}` in the lines, by the name of the placeholder. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  /**
   * Conversations by topic. Each text has one turn per line, and `|` separates the alternative forms of a turn. A
   * conversation uses the first form of every turn, or the second of every turn and so on, so that answers fit. A turn
   * after `+` is said by the same person as the turn before. A word is drawn once per conversation, so that both sides
   * talk about the same day and place.
   */
  readonly scenes: Readonly<Record<Topic, readonly string[]>>;
  /** Answers that suit almost any message. */
  readonly answers: readonly string[];
  /** Texts that are sent along with a picture. */
  readonly captions: readonly string[];
  /** Names of files, without the ending. */
  readonly files: readonly string[];
}
