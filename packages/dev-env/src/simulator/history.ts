// The history of a simulation: one line for each thing that happened. Two runs of a seed must have the same history.
import { createHash } from 'node:crypto';

/** Number of lines that a failure shows. */
const SHOWN = 60;

export class History {
  readonly #hash = createHash('sha256');
  readonly #last: string[] = [];
  readonly #print: boolean;
  steps = 0;

  constructor(print = false) {
    this.#print = print;
  }

  note(time: number, what: string, ...details: readonly unknown[]): void {
    this.steps += 1;
    const line = [this.steps, time, what, ...details.map((d) => (typeof d === 'string' ? d : JSON.stringify(d)))].join(
      ' ',
    );
    this.#hash.update(`${line}\n`);
    if (this.#print) console.log(line.slice(0, 300));
    this.#last.push(line.slice(0, 300));
    if (this.#last.length > SHOWN) this.#last.shift();
  }

  /** Adds bytes to the hash that would be too long for a line. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  last(): string {
    return this.#last.join('\n');
  }
}
