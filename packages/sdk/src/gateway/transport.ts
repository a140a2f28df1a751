// HTTP exchanges with the gateway: headers, signature, timeout, errors in answers.
import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import { createSigner, type Signer } from '@sealpost/crypto';
import { type ErrorBody, GatewayError, NetworkError } from './errors.ts';
import { type ClientPorts, eitherOf } from './ports.ts';
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
  const base = addressOf(options.url);
  const { buildToken } = options;
  let last: { readonly accessToken: string; readonly signer: Promise<Signer> } | undefined;

  /** Returns the signer for a token. A session has one token at a time, so only the last signer is kept. */
  function signerFor(accessToken = ''): Promise<Signer> {
    if (last?.accessToken !== accessToken) {
      last = { accessToken, signer: createSigner({ buildToken, version: clientVersion, accessToken }) };
    }
    return last.signer;
  }

  async function headersOf(exchange: Exchange, url: string): Promise<Record<string, string>> {
    const { pathname, search } = new URL(url);
    const sign = await signerFor(exchange.accessToken);
    return {
      'Content-Type': 'application/json',
      [brandHeader(options.brand, 'clientVersion')]: clientVersion,
      [plainHeaders.locale.name]: options.locale,
      'Accept-Language': options.locale.replace('_', '-'),
      ...(exchange.accessToken !== undefined && { [brandHeader(options.brand, 'access')]: exchange.accessToken }),
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
        signal: eitherOf(late.signal, exchange.signal),
      });
    } catch (cause) {
      throw new NetworkError(exchange.what, base, cause);
    } finally {
      limit.cancel();
    }
    if (!response.ok) throw await errorOfCall(exchange.what, base, response, ports);
    return response;
  };
}

/**
 * Returns the address of a gateway without slashes at its end.
 * @throws TypeError if it is not an address of a server
 */
export function addressOf(url: string): string {
  if (/^https?:\/\/./i.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(`\`url\` is "${url}"; it must begin with http:// or https://`);
}

/** Returns the result inside the envelope of an answer (specification: Wire conventions). */
export async function readEnvelope(
  what: string,
  url: string,
  response: Response,
  ports: Pick<ClientPorts, 'timers'>,
): Promise<unknown> {
  const body = parse(await textOfCall(what, url, response, ports));
  if (body === undefined) throw notOurs(what, url, response);
  if (body.message !== 'OK') throw await refusal(what, response.status, body);
  return body.data;
}

type AnswerParts = [what: string, url: string, response: Response, ports: Pick<ClientPorts, 'timers'>];

/** @throws NetworkError if the answer breaks off */
const textOfAnswer = (...[what, url, response, ports]: AnswerParts): Promise<string> =>
  textOf(response, ports).catch((cause: unknown) => {
    throw new NetworkError(what, url, cause);
  });

/**
 * Returns the text of the answer to a call, which always has a body. Browsers show an answer that broke off in its head
 * as one without a body.
 * @throws NetworkError if the answer broke off
 */
async function textOfCall(...answer: AnswerParts): Promise<string> {
  const text = await textOfAnswer(...answer);
  if (text !== '') return text;
  const [what, url, { status }] = answer;
  throw new NetworkError(what, url, new Error(`HTTP ${status} without a body`));
}

/**
 * Returns the error that the unsuccessful answer to a call describes.
 * @throws NetworkError if the answer breaks off, because the error in it is then unknown
 */
export const errorOfCall = async (...answer: AnswerParts): Promise<GatewayError> =>
  errorIn(await textOfCall(...answer), answer);

/** The same for an answer of object storage, which may have no body. */
export const errorOfStorage = async (...answer: AnswerParts): Promise<GatewayError> =>
  errorIn(await textOfAnswer(...answer), answer);

async function errorIn(text: string, [what, url, response]: AnswerParts): Promise<GatewayError> {
  const body = parse(text);
  if (body === undefined) return notOurs(what, url, response);
  // No header counts as 0, and a date as no number. Neither names a time to wait.
  const retryAfterMs = Number(response.headers.get('Retry-After')) * 1000 || undefined;
  return refusal(what, response.status, body, retryAfterMs);
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
