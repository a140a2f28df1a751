// What many seeds reached together.
import { faultKinds, sights } from './faults.ts';
import type { SeedReport } from './run-seed.ts';

export class Tally {
  seeds = 0;
  commands = 0;
  steps = 0;
  /** The seeds that broke a rule. */
  readonly failed: number[] = [];
  /** How often each kind of fault fired and each state was reached. */
  readonly counts: Map<string, number> = new Map([...faultKinds, ...sights].map((kind) => [kind, 0]));

  add({ seed, commands, steps, fired, seen, violations }: SeedReport): void {
    this.seeds += 1;
    this.commands += commands;
    this.steps += steps;
    if (violations.length > 0) this.failed.push(seed);
    for (const [kind, count] of [...fired, ...seen]) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  /** The kinds of faults that never fired, and the states that were never reached. */
  get missed(): readonly string[] {
    return [...this.counts].filter(([, count]) => count === 0).map(([kind]) => kind);
  }
}
