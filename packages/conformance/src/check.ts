// What a check is: one promise of the protocol, told in a sentence, with the code that looks whether it is kept.
import type { HttpEndpointName, MethodName } from '@sealpost/contract';
import type { World } from './world.ts';

export type EndpointName = MethodName | HttpEndpointName;

export interface Check {
  /** For `--only`, and the same from run to run. */
  readonly id: string;
  readonly topic: string;
  readonly endpoint: EndpointName;
  /** Heading of the specification that promises it. */
  readonly heading: string;
  /** What is promised, in one sentence. */
  readonly expects: string;
  readonly run: (world: World) => Promise<void>;
}

/** A check of a topic as its file writes it down; the key there is the end of its id. */
export type Scenario = Omit<Check, 'id' | 'topic'>;

export const scenarios = (topic: string, byKey: Readonly<Record<string, Scenario>>): Check[] =>
  Object.entries(byKey).map(([key, scenario]) => ({ id: `${topic}/${key}`, topic, ...scenario }));
