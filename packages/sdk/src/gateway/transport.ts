// HTTP exchanges with the gateway: headers, signature, timeout, errors in answers.
import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import { createSigner, type Signer } from '@sealpost/crypto';
import { type ErrorBody, GatewayError, NetworkError } from './errors.ts';
import type { ClientPorts } from './ports.ts';
import { refusal } from './refusal.ts';
import { textOf } from './silence.ts';

export interface TransportOptions {
  /** The address of the gateway, without a path. */
  readonly url: string;
  readonly buildToken: string;
  readonly brand: string;
  readonly locale: string;
}

export interface Exchange {
  /** A description of the call, with which error messages begin. */
  readonly what: string;
  readonly method: 'GET' | 'POST';
  /** The path with the query, percent-encoded. */
  readonly path: string;
  /** The raw body; only a POST has one. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The access token; absent for calls without a session. */
  readonly accessToken?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum milliseconds until the head of the server's answer arrives. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Returns the response of a successful exchange; throws GatewayError or NetworkError. */
export type Transport = (exchange: Exchange) => Promise<Response>;

const DEFAULT_TIMEOUT_MS = 30_000;

export function createTransport(options: TransportOptions, ports: ClientPorts): Transport {
  const base = options.url.replace(/\/+$/, '');
  const signerFor = rememberLast((accessToken) =>
    createSigner({ buildToken: options.buildToken, version: clientVersion, accessToken }),
  );

  async function headersOf(exchange: Exchange, url: string): Promise<Record<string, string>> {
    const { pathname, search } = new URL(url);
    const sign = await signerFor(exchange.accessToken ?? '');
    return {
      'Content-Type': 'application/json',
      [brandHeader(options.brand, 'clientVersion')]: clientVersion,
      [plainHeaders.locale.name]: options.locale,
      'Accept-Language': options.locale.replace('_', '-'),
      ...(exchange.accessToken === undefined ? {} : { [brandHeader(options.brand, 'access')]: exchange.accessToken }),
      ...exchange.headers,
      [plainHeaders.hmac.name]: await sign({ path: pathname + search, body: exchange.body ?? '' }),
    };
  }

  return async (exchange) => {
    const url = base + exchange.path;
    const headers = await headersOf(exchange, url);
    const late = new AbortController();
    const limit = ports.timers.after(exchange.timeoutMs ?? DEFAULT_TIMEOUT_MS, () =>
      late.abort(new Error('it did not answer in time')),
    );
    let response: Response;
    try {
      response = await ports.fetch(url, {
        method: exchange.method,
        headers,
        body: exchange.body ?? null,
        signal: exchange.signal ? AbortSignal.any([late.signal, exchange.signal]) : late.signal,
      });
    } catch (cause) {
      throw new NetworkError(exchange.what, base, cause);
    } finally {
      limit.cancel();
    }
    if (!response.ok) throw await errorOf(exchange.what, base, response, ports);
    return response;
  };
}

/** Returns the result inside the envelope of an answer (specification: Wire conventions). */
export async function readEnvelope(
  what: string,
  url: string,
  response: Response,
  ports: Pick<ClientPorts, 'timers'>,
): Promise<unknown> {
  const body = parse(await textOfAnswer(what, url, response, ports));
  if (body === undefined) throw notOurs(what, url, response);
  if (body.message !== 'OK') throw await refusal(what, response.status, body);
  return body.data;
}

/**
 * Returns the text of an answer.
 * @param mayBeEmpty false for calls, whose answers always have a body. An answer without one broke off in its head:
 * browsers show that as an answer without a body.
 * @throws NetworkError if the answer breaks off
 */
async function textOfAnswer(
  what: string,
  url: string,
  response: Response,
  ports: Pick<ClientPorts, 'timers'>,
  mayBeEmpty = false,
): Promise<string> {
  const text = await textOf(response, ports).catch((cause: unknown) => {
    throw new NetworkError(what, url, cause);
  });
  if (text !== '' || mayBeEmpty) return text;
  throw new NetworkError(what, url, new Error(`HTTP ${response.status} without a body`));
}

/**
 * Returns the error that an unsuccessful answer describes.
 * @throws NetworkError if the answer breaks off, because the error in it is then unknown
 */
export async function errorOf(
  what: string,
  url: string,
  response: Response,
  ports: Pick<ClientPorts, 'timers'>,
  { mayBeEmpty }: { readonly mayBeEmpty?: boolean } = {},
): Promise<GatewayError> {
  const body = parse(await textOfAnswer(what, url, response, ports, mayBeEmpty));
  if (body === undefined) return notOurs(what, url, response);
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return refusal(what, response.status, body, Number.isFinite(seconds) ? seconds * 1000 : undefined);
}

const notOurs = (what: string, url: string, response: Response): GatewayError =>
  new GatewayError(what, response.status, {
    message: `HTTP ${response.status} without the gateway's envelope; is ${url} the address of the gateway?`,
  });

function parse(text: string): (ErrorBody & { data?: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Caches the signer of the last token. A session has one token at a time, so one signer is enough. */
function rememberLast(make: (key: string) => Promise<Signer>): (key: string) => Promise<Signer> {
  let last: { key: string; value: Promise<Signer> } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
