// Tries a rule of the access matrix. First, callers without the right must be refused. Then, callers with the right
// must be served.
import { complaint } from '../answers.ts';
import type { Loose } from '../raw-client.ts';
import { type AccessRule, type Relation, relations, type World } from './access-rules.ts';
import type { People } from './access-world.ts';

type Things = (caller: Relation) => World;

/**
 * Returns the text of an answer, with all ids and times replaced. If two such texts are equal, a caller cannot tell the
 * two answers apart.
 */
export const neutral = (text: string): string => text.replaceAll(/[ucr][0-9a-f]{32}|SQ[0-9a-f]+|\d{10,}/g, 'id');

/** Tries one rule with all callers, and describes what the server does wrong. */
export async function tryRule(rule: AccessRule, people: People): Promise<string[]> {
  const wrong: string[] = [];
  const refusals = new Set<string>();
  const outsiders = relations.filter((relation) => !rule.allowed.includes(relation));
  let things = await people.things(rule.object);
  for (const relation of outsiders) {
    const found = await tryAs(rule, relation, people, things);
    if (found.allowed) wrong.push(`${relation} may not and can: ${found.answer}`);
    if (found.problem) wrong.push(`${relation}: ${found.problem}`);
    else if (!rule.shows && (relation === 'stranger' || relation === 'blocked')) refusals.add(neutral(found.answer));
  }
  for (const [index, relation] of rule.allowed.entries()) {
    // A call that writes may change the things that it names, so the next caller needs newly created ones.
    if (index > 0 && rule.access === 'write') things = await people.things(rule.object);
    const found = await tryAs(rule, relation, people, things);
    if (!found.allowed) wrong.push(`${relation} may and cannot: ${found.answer}`);
    if (found.problem) wrong.push(`${relation}: ${found.problem}`);
  }
  if (refusals.size > 1) wrong.push(`outsiders get different refusals: ${[...refusals].join(' and ')}`);
  return wrong;
}

const LONGEST_ANSWER = 300;

async function tryAs({ method, args, shows }: AccessRule, relation: Relation, people: People, things: Things) {
  const world = things(relation);
  const reply = await people.call(relation, method, args(world));
  const answer = reply.text.slice(0, LONGEST_ANSWER);
  const problem = complaint(method, reply);
  const ok = reply.status === 200;
  const allowed = ok && (shows ? shows((reply.body.data ?? {}) as Loose, world) : true);
  return { allowed, answer, problem };
}
