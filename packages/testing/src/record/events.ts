// Splits a server-sent event stream into its events.
import { StringDecoder } from 'node:string_decoder';

const END = /\r\n\r\n|\n\n|\r\r/;

export class EventSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /**
   * Adds a piece of the stream, and returns the events that are complete now. An event keeps the empty line at its end.
   */
  push(piece: Buffer): string[] {
    this.#rest += this.#decoder.write(piece);
    const events: string[] = [];
    for (let end = END.exec(this.#rest); end; end = END.exec(this.#rest)) {
      const length = end.index + end[0].length;
      events.push(this.#rest.slice(0, length));
      this.#rest = this.#rest.slice(length);
    }
    return events;
  }

  /** Returns the beginning of an event that never ended; an empty string if there is none. */
  end(): string {
    return this.#rest + this.#decoder.end();
  }
}
