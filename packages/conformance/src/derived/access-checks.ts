// Makes one check for each row of the access matrix.
import type { Check } from '../check.ts';
import { topicOf } from '../headings.ts';
import { Mismatch } from '../mismatch.ts';
import type { World } from '../world.ts';
import { tryRule } from './access.ts';
import { type AccessRule, accessRules, keyAndSessionRules } from './access-rules.ts';

const rules: readonly AccessRule[] = [...accessRules, ...keyAndSessionRules];

export function checksOfAccessRules(): Check[] {
  const counts = new Map<string, number>();
  return rules.map((rule) => {
    const key = `${rule.method}/access-${rule.object.replaceAll(' ', '-')}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return {
      id: count === 1 ? key : `${key}-${count}`,
      ...topicOf(rule.method),
      endpoint: rule.method,
      expects: `${rule.object}, ${rule.access}: ${rule.allowed.join(', ') || 'nobody'} and nobody else`,
      run: (world: World) => checkRule(rule, world),
    };
  });
}

async function checkRule(rule: AccessRule, world: World): Promise<void> {
  const wrong = await tryRule(rule, await world.cast());
  if (wrong.length > 0)
    throw new Mismatch(`only ${rule.allowed.join(', ') || 'nobody'} to be served`, wrong.join('; '));
}
