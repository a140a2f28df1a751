// Maps recorded values to the present values that replace them: ids, and the placeholders of secrets.
import { isMid } from '@sealpost/contract';
import { type Comparison, differences } from '../wire/value-differences.ts';
import { roleOf } from './roles.ts';
import { placeholderRole } from './vault.ts';

const kindOf = (value: unknown): string =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? 'number' : typeof value;

/** Methods whose whole result is a counter. */
const COUNTERS = /\.(getLastOpRevision|getServerTime)$/;
/** A shorter id is stored together with the name of its field, because other numbers may equal it. */
const SHORTEST_ID = 5;
/** A text that may be an id or a placeholder. */
const WORD = /[A-Za-z0-9_-]{5,}/g;

export class Bindings {
  readonly #present = new Map<string, string | number>();

  bind(recorded: string, present: string | number): void {
    if (!this.#present.has(recorded)) this.#present.set(recorded, present);
  }

  /** Sets the present value of a recorded value, even if it has one already. */
  rebind(recorded: string, present: string | number): void {
    this.#present.set(recorded, present);
  }

  /** Returns a request's text with the present values in place of the recorded ones. */
  translate(text: string): string {
    if (this.#present.size === 0) return text;
    return text.replace(WORD, (word) => String(this.#present.get(word) ?? word));
  }

  /** Returns those ids and placeholders in a text that have no present value. */
  unknownIn(text: string): string[] {
    const words = text.match(WORD) ?? [];
    const named = words.filter((word) => isMid(word) || placeholderRole(word) !== undefined);
    return [...new Set(named)].filter((word) => !this.#present.has(word));
  }

  /**
   * Compares two results, and returns the differences that matter. Stores which present id corresponds to each recorded
   * id.
   */
  compare(endpoint: string | undefined, recorded: unknown, present: unknown) {
    const comparison: Comparison = {
      same: (a, b, name) => this.#same(COUNTERS.test(endpoint ?? '') && name === 'data' ? 'revision' : name, a, b),
      keyNow: (key) => String(this.#present.get(key) ?? key),
      ordered: (a, b) => this.#ordered(a, b),
    };
    return differences({ data: recorded }, { data: present }, comparison);
  }

  #same(name: string, recorded: unknown, present: unknown): boolean {
    if (recorded === undefined || present === undefined) return recorded === present;
    switch (roleOf(name, recorded)) {
      case 'bound':
        return this.#sameId(name, String(recorded), present);
      case 'secret':
        if (present !== '') this.rebind(String(recorded), String(present));
        return present !== '' && typeof present === 'string';
      case 'time':
      case 'counter':
      case 'random':
        return kindOf(recorded) === kindOf(present);
      default:
        return this.#samePlain(recorded, present);
    }
  }

  #sameId(name: string, recorded: string, present: unknown): boolean {
    if (typeof present !== 'string' && typeof present !== 'number') return false;
    const key = recorded.length < SHORTEST_ID ? `${name} ${recorded}` : recorded;
    const known = this.#present.get(key);
    if (known !== undefined) return String(known) === String(present);
    // The first letter of a mid tells users from groups, so it must be the same.
    if (isMid(recorded) && recorded[0] !== String(present)[0]) return false;
    this.bind(key, present);
    return true;
  }

  /**
   * Compares values that must be equal. A recorded text may contain ids, also inside JSON, so these are translated
   * first.
   */
  #samePlain(recorded: unknown, present: unknown): boolean {
    if (typeof recorded !== 'string' || typeof present !== 'string') return recorded === present;
    return recorded === present || this.translate(recorded) === present;
  }

  /** Sorts a list of mids like the recorded list, because each server may sort such lists by its own mids. */
  #ordered(recorded: readonly unknown[], present: readonly unknown[]): readonly unknown[] {
    const areMids = (list: readonly unknown[]) => list.every((item) => typeof item === 'string' && isMid(item));
    if (!areMids(recorded) || !areMids(present)) return present;
    const wanted = recorded.map((item) => this.#present.get(String(item)));
    const rest = present.filter((item) => !wanted.includes(String(item)));
    const paired = wanted.map((item) => (item !== undefined && present.includes(item) ? item : rest.shift()));
    return [...paired, ...rest];
  }
}
