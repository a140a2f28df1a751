// Faults that tests ask for: keeps the rules, and chooses the fault of each call.
import { errors } from '@sealpost/contract';
import type { Random } from '@sealpost/contract/ports';
import { drawFraction } from '@sealpost/contract/ports';
import type { Fault, FaultRule } from '@sealpost/contract/workbench';
import { millisOf } from '../time/span.ts';
import { type MatchedCall, matcher } from './call-match.ts';

/** Actions that exclude each other, by their names in a rule. */
const ACTIONS = ['answer', 'cut', 'drop', 'duplicate'] as const;

interface Held {
  readonly id: string;
  readonly rule: FaultRule;
  readonly fits: (call: MatchedCall) => boolean;
  fired: number;
}

export interface Faults {
  /**
   * @throws Error if the rule contains no action, or two actions that exclude each other
   * @throws Error if the error to answer is not in the error table
   */
  add(rule: FaultRule): Fault;
  list(): Fault[];
  /** Returns false if there is no such fault. */
  remove(id: string): boolean;
  clear(): void;
  /**
   * Returns the first fault that matches a call, is not used up, and is selected by chance according to its rate.
   * Counts the fault as fired.
   */
  take(call: MatchedCall): Fault | undefined;
}

/** @param changed called after each change of the list */
export function createFaults(random: Random, changed: () => void): Faults {
  const held = new Map<string, Held>();
  let last = 0;
  const isOver = ({ rule, fired }: Held): boolean => rule.times !== undefined && fired >= rule.times;
  return {
    add(rule) {
      requireOneAction(rule);
      requireKnownError(rule);
      if (rule.delay !== undefined) millisOf(rule.delay);
      last += 1;
      const fault: Held = { id: String(last), rule, fits: matcher(rule.match ?? {}), fired: 0 };
      held.set(fault.id, fault);
      changed();
      return shown(fault);
    },
    list: () => [...held.values()].map(shown),
    remove(id) {
      const removed = held.delete(id);
      if (removed) changed();
      return removed;
    },
    clear() {
      held.clear();
      changed();
    },
    take(call) {
      for (const fault of held.values()) {
        if (isOver(fault) || !fault.fits(call)) continue;
        const { rate = 1 } = fault.rule;
        if (rate < 1 && drawFraction(random) >= rate) continue;
        fault.fired += 1;
        changed();
        return shown(fault);
      }
      return undefined;
    },
  };
}

const shown = ({ id, rule, fired }: Held): Fault => ({ id, rule, fired });

function requireKnownError({ answer }: FaultRule): void {
  if (answer?.error === undefined || Object.hasOwn(errors, answer.error)) return;
  throw new Error(`the table has no error ${JSON.stringify(answer.error)}: docs/reference/errors.md lists all`);
}

function requireOneAction(rule: FaultRule): void {
  const given = ACTIONS.filter((action) => rule[action] !== undefined);
  if (given.length > 1)
    throw new Error(`a fault has one of ${ACTIONS.join(', ')}; this one has ${given.join(' and ')}: make two faults`);
  if (given.length === 0 && rule.delay === undefined)
    throw new Error(`a fault needs one of delay, ${ACTIONS.join(', ')}; this one has none`);
}
