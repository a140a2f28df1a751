// The steps of a request from start to end. Methods, other paths and objects share these steps, and differ only in
// their `Endpoint`. refusals.ts answers every error that a step throws.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '@sealpost/contract';
import { readBody } from '../http/body.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { WrongVerb } from '../http/wrong-verb.ts';
import type { CallObserver, ObservedCall } from './call-observer.ts';
import type { CallWatch, WatchedCall } from './call-watch.ts';
import type { Endpoint } from './endpoint.ts';
import { Exchange } from './exchange.ts';
import { headerNames } from './header-names.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Refuse } from './refusals.ts';
import { requireRate } from './require-rate.ts';
import type { StrictContract } from './strict-contract.ts';
import type { UnreadAnswers } from './unread-answers.ts';

export interface PipelineDeps {
  readonly rates: RateLimits;
  readonly refuse: Refuse;
  readonly unreadAnswers: UnreadAnswers;
  readonly clientAddress: ClientAddress;
  /** Returns the headers that allow a page of the given origin to read the answer in a browser. */
  readonly corsHeaders: (origin: string | undefined) => readonly string[];
  readonly brand: string;
  /** Fails calls that break the contract, in tests and development; undefined in production. */
  readonly strict: StrictContract | undefined;
  /** Sees every call, in tests and development; undefined in production. */
  readonly watch: CallWatch | undefined;
  /** Measures every call. */
  readonly observer: CallObserver;
}

export interface Pipeline {
  /**
   * Starts the exchange of a request.
   * @param exposed further headers for pages of other origins in a browser
   */
  begin(request: IncomingMessage, response: ServerResponse, exposed?: readonly string[]): Exchange;
  serve(endpoint: Endpoint, exchange: Exchange): Promise<void>;
  /** Refuses a request that no endpoint serves. */
  refuse(exchange: Exchange, error: ApiError): void;
}

const NO_BODY = Buffer.alloc(0);

export function createPipeline({
  rates,
  refuse,
  unreadAnswers,
  clientAddress,
  corsHeaders,
  brand,
  strict,
  watch,
  observer,
}: PipelineDeps): Pipeline {
  const names = headerNames(brand);

  function begin(request: IncomingMessage, response: ServerResponse, exposed: readonly string[] = []): Exchange {
    const { origin } = request.headers;
    const extraHeaders = origin === undefined ? [] : [...corsHeaders(origin), ...exposed];
    const isWatched = watch !== undefined;
    return new Exchange(request, response, { names, remoteAddress: clientAddress(request), extraHeaders, isWatched });
  }

  async function serve(endpoint: Endpoint, exchange: Exchange): Promise<void> {
    const call = observer.begin(exchange, endpoint);
    await observer.run(call, () => {
      const watched = watch?.begin(exchange, endpoint);
      return watched ? watched.run((given) => steps(endpoint, given, call, watched)) : steps(endpoint, exchange, call);
    });
    call.ended();
  }

  async function steps(
    endpoint: Endpoint,
    exchange: Exchange,
    call: ObservedCall,
    watched?: WatchedCall,
  ): Promise<void> {
    const { request, response, extraHeaders, verb } = exchange;
    if (verb === 'OPTIONS') {
      response.writeHead(204, [...extraHeaders, 'Content-Length', '0']).end();
      return;
    }
    try {
      const limit = endpoint.verbs[verb];
      if (!limit) throw new WrongVerb(verb, Object.keys(endpoint.verbs));
      const { bodyBytes } = endpoint;
      const body = bodyBytes === undefined ? NO_BODY : await bodyOf(request, bodyBytes, watched);
      call.received(body);
      const caller = await endpoint.authenticate(exchange, body);
      if (caller) {
        call.caller(caller);
        watched?.caller(caller);
      }
      requireRate(rates, limit, caller, exchange.remoteAddress);
      const handle = () => endpoint.handle(exchange, caller, body);
      const json = await (strict ? strict.run(endpoint, caller, handle, watched) : handle());
      if (json !== undefined) unreadAnswers.write(response, json, extraHeaders);
    } catch (error) {
      refuse({ request, response, extraHeaders, error, endpoint, call });
    }
  }

  return {
    begin,
    serve,
    refuse(exchange, error) {
      const call = observer.begin(exchange, undefined);
      const told = ({ request, response, extraHeaders }: Exchange) =>
        refuse({ request, response, extraHeaders, error, endpoint: undefined, call });
      if (watch) void watch.begin(exchange, undefined).run(async (given) => told(given));
      else told(exchange);
      call.ended();
    },
  };
}

function bodyOf(request: IncomingMessage, most: number, watched: WatchedCall | undefined): Promise<Buffer> {
  const read = () => readBody(request, most);
  return watched ? watched.body(read) : read();
}
