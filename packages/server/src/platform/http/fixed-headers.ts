// What every answer carries, whoever writes it: pages, JSON, the stream, objects and refusals.
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** A year: browsers then ask this host by https only. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const;
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;
const PLAIN: readonly string[] = NOSNIFF;
const SECURE: readonly string[] = [...NOSNIFF, ...HSTS];

/** The request is undefined where none could be read. */
export type FixedHeaders = (request: IncomingMessage | undefined) => readonly string[];

export interface OutsideAddress {
  readonly publicUrl: string | undefined;
  /** Whose `X-Forwarded-Proto` is believed. */
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

/** A response that adds the fixed headers to whatever is written, at no cost where the headers are a plain list. */
export function responseWith(fixed: FixedHeaders): typeof ServerResponse<IncomingMessage> {
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
