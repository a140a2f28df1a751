// A check: one promise of the protocol in a sentence, with the code that tests it.
import type { HttpEndpointName, MethodName, RegistrationEndpointName } from '@sealpost/contract';
import type { World } from './world.ts';

export type EndpointName = MethodName | HttpEndpointName | RegistrationEndpointName;

export interface Check {
  /** The name by which `--only` selects the check. A check has the same name in every run. */
  readonly id: string;
  readonly topic: string;
  readonly endpoint: EndpointName;
  /** The heading under which the specification makes the promise. */
  readonly heading: string;
  /** The promise, in one sentence. */
  readonly expects: string;
  readonly run: (world: World) => Promise<void>;
}

/** A check in the file of its topic. The id of the check consists of the topic and the key of this entry. */
export type Scenario = Omit<Check, 'id' | 'topic'>;

export const scenarios = (topic: string, byKey: Readonly<Record<string, Scenario>>): Check[] =>
  Object.entries(byKey).map(([key, scenario]) => ({ id: `${topic}/${key}`, topic, ...scenario }));
