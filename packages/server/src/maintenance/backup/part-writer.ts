import { type BackupPlace, PART_CHARACTERS } from './backup-place.ts';
import type { Part } from './manifest.ts';

/** Writes lines into parts of a backup. */
export class PartWriter {
  readonly #place: Pick<BackupPlace, 'putPart'>;
  readonly #parts: Part[] = [];
  #lines: string[] = [];
  #characters = 0;

  constructor(place: Pick<BackupPlace, 'putPart'>) {
    this.#place = place;
  }

  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= PART_CHARACTERS) await this.#flush();
  }

  async end(): Promise<readonly Part[]> {
    if (this.#lines.length > 0) await this.#flush();
    return this.#parts;
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('\n');
    this.#lines = [];
    this.#characters = 0;
    this.#parts.push(await this.#place.putPart(text));
  }
}
