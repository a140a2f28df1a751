import type { Check } from './check.ts';
import { checks } from './checks.ts';

/** A word of `--only` that names nothing. */
export class UnknownSelection extends Error {
  override name = 'UnknownSelection';
}

/** The checks with one of these names: of a topic, of an endpoint, or of the check itself. Without names, all. */
export function selectChecks(only: readonly string[] = []): readonly Check[] {
  if (only.length === 0) return checks;
  for (const name of only) {
    if (checks.some((check) => isNamed(check, name))) continue;
    const topics = [...new Set(checks.map(({ topic }) => topic))].sort();
    throw new UnknownSelection(
      `${JSON.stringify(name)} is no topic, endpoint or check. Topics: ${topics.join(', ')}; --list shows the rest.`,
    );
  }
  return checks.filter((check) => only.some((name) => isNamed(check, name)));
}

/** An endpoint may go without its service: `sendMessage`. */
const isNamed = ({ id, topic, endpoint }: Check, name: string): boolean =>
  id === name || topic === name || endpoint === name || endpoint.endsWith(`.${name}`);
