// Headers of every response, whether it is a page, JSON, the stream, an object or an error.
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse as Response } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { ServerResponse } from './node-http.ts';

/** Makes browsers use only https for this host, for one year. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const;
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;
const PLAIN: readonly string[] = NOSNIFF;
const SECURE: readonly string[] = [...NOSNIFF, ...HSTS];

/** Returns the fixed headers of a response. The request is undefined if the server could not read it. */
export type FixedHeaders = (request: IncomingMessage | undefined) => readonly string[];

export interface OutsideAddress {
  readonly publicUrl: string | undefined;
  /** Addresses of the proxies whose header `X-Forwarded-Proto` is trusted. */
  readonly trustedProxies: readonly string[];
}

export function createFixedHeaders({ publicUrl, trustedProxies }: OutsideAddress): FixedHeaders {
  if (publicUrl?.startsWith('https://')) return () => SECURE;
  if (trustedProxies.length === 0) return () => PLAIN;
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    const proto = request?.headers['x-forwarded-proto'];
    if (typeof proto !== 'string' || !isTrusted(request?.socket.remoteAddress ?? '', 0)) return PLAIN;
    return proto.split(',')[0]?.trim().toLowerCase() === 'https' ? SECURE : PLAIN;
  };
}

/**
 * Returns a response class that adds the fixed headers to every response. If the caller passes a list of headers, the
 * fixed headers are appended to it, because setting them one by one costs more.
 */
export function responseWith(fixed: FixedHeaders): typeof Response<IncomingMessage> {
  type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
  return class extends ServerResponse {
    override writeHead(status: number, ...rest: [(string | Headers)?, Headers?]): this {
      const headers = typeof rest[0] === 'string' ? rest[1] : rest[0];
      const more = fixed(this.req);
      if (Array.isArray(headers)) return super.writeHead(status, [...headers, ...more]);
      for (let i = 0; i < more.length; i += 2) this.setHeader(more[i] as string, more[i + 1] as string);
      return super.writeHead(status, headers);
    }
  };
}
