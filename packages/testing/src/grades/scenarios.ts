// Every scenario, in the order of the report.
import type { Scenario } from './scenario.ts';
import { scenarioTopics } from './scenario.ts';
import { answers } from './scenarios/answers.ts';
import { groupSealing } from './scenarios/group-sealing.ts';
import { groups } from './scenarios/groups.ts';
import { login } from './scenarios/login.ts';
import { media } from './scenarios/media.ts';
import { operations } from './scenarios/operations.ts';
import { reading } from './scenarios/reading.ts';
import { sealing } from './scenarios/sealing.ts';
import { sending } from './scenarios/sending.ts';
import { stream } from './scenarios/stream.ts';
import { streamPauses } from './scenarios/stream-pauses.ts';
import { tokens } from './scenarios/tokens.ts';
import { wire } from './scenarios/wire.ts';

export const scenarios: readonly Scenario[] = [
  ...login,
  ...tokens,
  ...wire,
  ...answers,
  ...stream,
  ...streamPauses,
  ...operations,
  ...sending,
  ...reading,
  ...groups,
  ...sealing,
  ...groupSealing,
  ...media,
];

/** The error for a name that selects no scenario. */
export class UnknownScenario extends Error {
  override readonly name = 'UnknownScenario';
}

/** Returns the scenarios that these names select: topics, or scenarios. Without names, returns all. */
export function selectScenarios(only: readonly string[] = []): readonly Scenario[] {
  if (only.length === 0) return scenarios;
  const unknown = only.find((name) => !scenarios.some((scenario) => isNamed(scenario, name)));
  if (unknown !== undefined) {
    const topics = scenarioTopics.join(', ');
    throw new UnknownScenario(
      `${JSON.stringify(unknown)} is neither a topic nor a scenario. Topics: ${topics}; --list shows the scenarios.`,
    );
  }
  return scenarios.filter((scenario) => only.some((name) => isNamed(scenario, name)));
}

const isNamed = ({ id, topic }: Scenario, name: string): boolean => id === name || topic === name;
