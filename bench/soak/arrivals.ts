// Checks what a reader receives after one cursor, over all of its streams: every message once, in the order of the
// sends.

export interface Faults {
  readonly lost: number;
  readonly twice: number;
  /** Messages that came after a later one of the same sender. */
  readonly late: number;
}

export class Arrivals {
  #newest = 0;
  #received = 0;
  #twice = 0;
  #late = 0;
  readonly #missing = new Set<number>();

  /** @param count the number of the message: its sender counts from 1 */
  take(count: number): void {
    if (count > this.#newest) {
      for (let between = this.#newest + 1; between < count; between += 1) this.#missing.add(between);
      this.#newest = count;
      this.#received += 1;
    } else if (this.#missing.delete(count)) {
      this.#late += 1;
      this.#received += 1;
    } else this.#twice += 1;
  }

  /** The number of different messages that came. */
  get received(): number {
    return this.#received;
  }

  /** @param acknowledged the number of sends that the server has acknowledged */
  faults(acknowledged: number): Faults {
    const lost = this.#missing.size + Math.max(0, acknowledged - this.#newest);
    return { lost, twice: this.#twice, late: this.#late };
  }
}
