import type { Check } from './check.ts';
import { checks } from './checks.ts';

/** Error for a name after `--only` that selects no check. */
export class UnknownSelection extends Error {
  override name = 'UnknownSelection';
}

/**
 * Returns the checks that the names select; all checks if there are no names. A name is the name of a topic, of an
 * endpoint or of a check.
 */
export function selectChecks(only: readonly string[] = []): readonly Check[] {
  if (only.length === 0) return checks;
  for (const name of only) {
    if (checks.some((check) => isNamed(check, name))) continue;
    const topics = [...new Set(checks.map(({ topic }) => topic))].sort();
    throw new UnknownSelection(
      `${JSON.stringify(name)} is not a topic, endpoint or check. Topics: ${topics.join(', ')}; --list shows the rest.`,
    );
  }
  return checks.filter((check) => only.some((name) => isNamed(check, name)));
}

/** Returns true if a name selects a check. The name of a method may omit the service, as in `sendMessage`. */
const isNamed = ({ id, topic, endpoint }: Check, name: string): boolean =>
  id === name || topic === name || endpoint === name || endpoint.endsWith(`.${name}`);
