// One request with its response, as the steps of the pipeline pass it on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderNames } from './header-names.ts';

/**
 * A request and its response. Getters compute the parts that few steps need, because every request creates an instance.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly remoteAddress: string;
  /** Headers that the response gets in addition to those of its content. Error responses get them too. */
  readonly extraHeaders: string[];
  /** True if a watch sees what is written to the response. */
  readonly isWatched: boolean;
  readonly #names: HeaderNames;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    {
      names,
      remoteAddress,
      extraHeaders,
      isWatched,
    }: Pick<Exchange, 'remoteAddress' | 'extraHeaders' | 'isWatched'> & { names: HeaderNames },
  ) {
    this.request = request;
    this.response = response;
    this.remoteAddress = remoteAddress;
    this.extraHeaders = extraHeaders;
    this.isWatched = isWatched;
    this.#names = names;
  }

  /** Returns an exchange of the same request with another response. */
  answeredBy(response: ServerResponse): Exchange {
    const { request, remoteAddress, extraHeaders, isWatched } = this;
    const given = { names: this.#names, remoteAddress, extraHeaders: [...extraHeaders], isWatched };
    return new Exchange(request, response, given);
  }

  /** Path and query of the request, as sent. */
  get url(): string {
    return this.request.url ?? '';
  }

  get verb(): string {
    return this.request.method ?? '';
  }

  get accessToken(): string | undefined {
    return this.header(this.#names.access);
  }

  /** The name of the header with the access token, for errors. */
  get accessHeader(): string {
    return this.#names.accessAsDocumented;
  }

  get channelToken(): string | undefined {
    return this.header(this.#names.channel);
  }

  get cookieToken(): string | undefined {
    return cookieOf(this.request.headers.cookie, 'lct');
  }

  get signature(): string | undefined {
    return this.header(this.#names.signature);
  }

  get version(): string | undefined {
    return this.header(this.#names.version) ?? this.header(this.#names.chromeVersion);
  }

  /** Whether the client sends its version in the header that existing clients use. */
  get chromeClient(): boolean {
    return this.request.headers[this.#names.chromeVersion] !== undefined;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    const controller = new AbortController();
    this.response.on('close', () => controller.abort());
    return controller.signal;
  }

  /** Returns a header of the request. The name is in lower case. */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  setCookie(cookie: string): void {
    this.extraHeaders.push('Set-Cookie', cookie);
  }
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
