// One thing that a client must do, described in a sentence, with the code that tests it.
import type { Stage } from './stage.ts';

export const scenarioTopics = [
  'login',
  'tokens',
  'wire',
  'answers',
  'stream',
  'operations',
  'sending',
  'reading',
  'groups',
  'sealing',
  'media',
] as const;
export type ScenarioTopic = (typeof scenarioTopics)[number];

/** The place in the specification that demands what a scenario tests. */
export interface Basis {
  /** The heading in the specification, or the page of the documentation if the specification is silent. */
  readonly heading: string;
  /** The requirement of the specification, as one sentence. */
  readonly fact: string;
}

export interface Scenario {
  /** The topic and a name, such as `tokens/refresh-on-119`. It is the same in every run. */
  readonly id: string;
  readonly topic: ScenarioTopic;
  /** A sentence that describes a correct client. */
  readonly title: string;
  readonly basis: Basis;
  /** The effect of a wrong client that a user sees. */
  readonly consequence: string;
  /** Settings of the server for this scenario, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Plays the scenario.
   * @throws Deviation if the client does something else; NotReached if the client never did what the scenario tests
   */
  readonly play: (stage: Stage) => Promise<void>;
}

/** A scenario as the file of its topic declares it. The key of the declaration becomes the end of the scenario's id. */
export type ScenarioEntry = Omit<Scenario, 'id' | 'topic'>;

export const scenariosOf = (topic: ScenarioTopic, byKey: Readonly<Record<string, ScenarioEntry>>): Scenario[] =>
  Object.entries(byKey).map(([key, entry]) => ({ id: `${topic}/${key}`, topic, ...entry }));

export const basis = (heading: string, fact: string): Basis => ({ heading, fact });
