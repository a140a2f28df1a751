// One exchange while it is recorded.
import { type Header, headerOf } from '../wire/headers.ts';
import { BodyCapture } from './body-capture.ts';
import { EventSplitter } from './events.ts';
import type { RecordedAnswer, RecordedBody, RecordedEvent, RecordedExchange } from './session-file.ts';

interface Begun {
  readonly id: number;
  readonly verb: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly endpoint: string | undefined;
  readonly bodyLimit: number;
  /** Returns the milliseconds since the recording began. */
  readonly elapsed: () => number;
}

/** Headers about the transfer of a body. A recorded body is whole and decompressed. */
const OF_TRANSFER = /^(?:content-encoding|transfer-encoding|content-length)$/i;

export class RecordingExchange {
  /** Resolves when everything about the exchange is known. */
  readonly ended: Promise<void>;
  readonly #begun: Begun;
  readonly #startMs: number;
  readonly #requestCapture: BodyCapture;
  #requestBody: RecordedBody | undefined;
  #requestDone: Promise<void> | undefined;
  #status: { readonly code: number; readonly headers: readonly Header[]; readonly isStream: boolean } | undefined;
  #answerCapture: BodyCapture | undefined;
  #answerBody: RecordedBody | undefined;
  readonly #events: RecordedEvent[] = [];
  readonly #splitter = new EventSplitter();
  #end: RecordedAnswer['end'] = 'open';
  #failure: string | undefined;
  #durationMs: number | undefined;
  #resolve: () => void = () => {};
  #stopped = false;

  constructor(begun: Begun) {
    this.#begun = begun;
    this.#startMs = begun.elapsed();
    this.#requestCapture = new BodyCapture(headerOf(begun.headers, 'Content-Encoding'), begun.bodyLimit);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  request(piece: Buffer): void {
    this.#requestCapture.push(piece);
  }

  requestEnded(): void {
    this.#requestDone ??= this.#requestCapture.finish().then((body) => {
      this.#requestBody = body;
    });
  }

  answer(code: number, headers: readonly Header[]): void {
    const isStream = headerOf(headers, 'Content-Type')?.startsWith('text/event-stream') ?? false;
    this.#status = { code, headers, isStream };
    const listen = isStream ? (piece: Buffer) => this.#addEvents(this.#splitter.push(piece)) : undefined;
    this.#answerCapture = new BodyCapture(headerOf(headers, 'Content-Encoding'), this.#begun.bodyLimit, listen);
  }

  piece(piece: Buffer): void {
    this.#answerCapture?.push(piece);
  }

  /** Ends the exchange. Does nothing if it has ended already. */
  end(how: RecordedAnswer['end']): void {
    if (this.#durationMs !== undefined) return;
    this.#durationMs = this.#now();
    // If the recorder closes the connection because the recording ends, the answer counts as still open.
    this.#end = this.#stopped ? 'open' : how;
    if (!this.#status)
      this.#failure ??= this.#stopped ? 'the recording ended first' : 'the client left before an answer came';
    void this.#finish();
  }

  /** Ends the exchange, because the gateway does not answer. */
  fail(reason: string): void {
    if (!this.#status) this.#failure ??= reason;
    this.end('cut');
  }

  /** Ends the exchange, because the recording ends. */
  stop(): void {
    this.#stopped = true;
    this.end('open');
  }

  recorded(): RecordedExchange {
    const { id, verb, path, headers, endpoint } = this.#begun;
    const answer = this.#recordedAnswer();
    return {
      id,
      startMs: rounded(this.#startMs),
      durationMs: rounded(this.#durationMs ?? this.#now()),
      ...(endpoint !== undefined && { endpoint }),
      verb,
      path,
      headers: recordedHeaders(headers),
      body: this.#requestBody ?? this.#requestCapture.now(),
      ...(answer ? { answer } : { failure: this.#failure ?? 'the recording ended first' }),
    };
  }

  #recordedAnswer(): RecordedAnswer | undefined {
    if (!this.#status) return undefined;
    const { code, headers, isStream } = this.#status;
    return {
      status: code,
      headers: recordedHeaders(headers),
      end: this.#end,
      ...(isStream ? { events: [...this.#events] } : { body: this.#answerBody ?? this.#bodySoFar() }),
    };
  }

  #bodySoFar(): RecordedBody {
    return this.#answerCapture?.now() ?? { form: 'text', content: '', bytes: 0 };
  }

  #now(): number {
    return this.#begun.elapsed() - this.#startMs;
  }

  #addEvents(texts: readonly string[]): void {
    for (const text of texts) this.#events.push({ ms: rounded(this.#now()), text });
  }

  async #finish(): Promise<void> {
    this.requestEnded();
    await this.#requestDone;
    this.#answerBody = await this.#answerCapture?.finish();
    const rest = this.#splitter.end();
    if (rest !== '') this.#addEvents([rest]);
    this.#resolve();
  }
}

const rounded = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10);

const recordedHeaders = (headers: readonly Header[]): [name: string, value: string][] =>
  headers.flatMap(([name = '', value = '']): [string, string][] => (OF_TRANSFER.test(name) ? [] : [[name, value]]));
