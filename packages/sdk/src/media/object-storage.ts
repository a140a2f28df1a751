// Requests to object storage. Object storage has a separate address and a separate token, and its requests are not
// signed (specification: Object-storage headers).
import { brandHeader, clientVersion, featureTypes, plainHeaders } from '@sealpost/contract';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { type ClientPorts, eitherOf } from '../gateway/ports.ts';
import { textOf } from '../gateway/silence.ts';
import { errorOfStorage } from '../gateway/transport.ts';
import { getWithoutTokenElsewhere } from './redirected.ts';

export interface ObjectRequest {
  /** A description of the request, with which error messages begin. */
  readonly what: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /**
   * Maximum milliseconds until the head of the server's answer arrives. For a POST, this includes the time to send the
   * body.
   */
  readonly timeoutMs?: number;
  /** True reads the whole body before the response is returned. Use this only for short answers. */
  readonly whole?: true;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the response of a successful request; throws GatewayError, NetworkError, or the reason of the signal. */
export type ObjectStorage = (request: ObjectRequest) => Promise<Response>;

const DEFAULT_TIMEOUT_MS = 30_000;
const WHAT = 'the token for object storage';
/** The separators between the rows of the server's answer, and between the columns of a row. */
const ROWS = '\x1e';
const COLUMNS = '\x1f';
/** A token is replaced this many milliseconds before it expires, so that it does not expire during a request. */
const MARGIN_MS = 60_000;

export function createObjectStorage(gateway: Gateway, url: string, locale: string, ports: ClientPorts): ObjectStorage {
  const base = url.replace(/\/+$/, '');
  let known: { readonly token: Promise<string>; readonly of: string | undefined; until: number } | undefined;

  /** Returns a token that is valid only for object storage, so that object storage gets no access to the gateway. */
  function token(): Promise<string> {
    const of = gateway.session.current?.tokens.accessToken;
    if (known?.of === of && known && ports.clock.now() < known.until) return known.token;
    const asked = gateway.call('TalkService.acquireEncryptedAccessToken', featureTypes.OBS_GENERAL);
    const fresh = { token: asked.then((text) => read(text)), of, until: Number.POSITIVE_INFINITY };
    function read(text: string): string {
      // Row 0 is the token's lifetime in seconds. The token is column 0 of row 1; further rows and columns may follow.
      const [lifetime, [token] = []] = text.split(ROWS).map((row) => row.split(COLUMNS));
      if (!token) throw new GatewayError(WHAT, 200, { message: 'the answer has no token in its second row' });
      fresh.until = ports.clock.now() + Number(lifetime?.[0]) * 1000 - MARGIN_MS;
      return token;
    }
    fresh.token.catch(() => {
      if (known === fresh) known = undefined;
    });
    known = fresh;
    return fresh.token;
  }

  async function once(request: ObjectRequest): Promise<Response> {
    const headers = {
      [brandHeader(gateway.brand, 'access')]: await token(),
      [brandHeader(gateway.brand, 'application')]: `CHROMEOS\t${clientVersion}\tChrome_OS\t`,
      [plainHeaders.locale.name]: locale,
      ...(request.body && { 'Content-Type': 'application/octet-stream' }),
      ...request.headers,
    };
    const late = new AbortController();
    const limit = ports.timers.after(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, () =>
      late.abort(new Error('it did not answer in time')),
    );
    const init: RequestInit = {
      method: request.method,
      headers,
      body: request.body ?? null,
      signal: eitherOf(late.signal, request.signal),
    };
    let response: Response;
    try {
      response =
        request.method === 'GET'
          ? await getWithoutTokenElsewhere(ports, base + request.path, init)
          : await ports.fetch(base + request.path, init);
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw new NetworkError(request.what, base, cause);
    } finally {
      limit.cancel();
    }
    if (!response.ok) throw await errorOfStorage(request.what, base, response, ports);
    return request.whole ? wholeOf(request, response) : response;
  }

  async function wholeOf(request: ObjectRequest, response: Response): Promise<Response> {
    try {
      const { status, headers } = response;
      return new Response(await textOf(response, ports), { status, headers });
    } catch (cause) {
      request.signal?.throwIfAborted();
      throw new NetworkError(request.what, base, cause);
    }
  }

  return async (request) => {
    try {
      return await once(request);
    } catch (error) {
      if (!(error instanceof GatewayError) || !(error.needsRenewal || error.endsSession)) throw error;
      // The token may have expired, or may have ended together with the access token. If the session is over, the
      // request for another token throws an error that says so.
      known = undefined;
      return once(request);
    }
  };
}
