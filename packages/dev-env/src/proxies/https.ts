// A small HTTPS proxy that follows the rules for proxies in docs/operating.md. Its certificate is self-signed.
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface HttpsProxy {
  readonly url: string;
  /** Sets the server to which the proxy passes requests. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** Matches the paths to which the proxy answers 404, like the proxies in the documents. */
const HIDDEN = /^\/(?:metrics$|readyz$|api\/admin\/)/;

/**
 * Starts the proxy.
 * @param host the address to listen on; the certificate is for localhost and 127.0.0.1
 */
export async function httpsProxy(host = '127.0.0.1'): Promise<HttpsProxy> {
  let behind = '';
  const proxy = createServer({ key, cert: certificate }, (request, response) => {
    const { method = 'GET', url = '/', headers, socket } = request;
    if (HIDDEN.test(url.split('?')[0] as string)) return void response.writeHead(404).end('Not Found');
    const forwarded = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
    const { connection: _, ...passed } = headers;
    const sent = httpRequest(behind + url, { method, headers: { ...passed, 'x-forwarded-for': forwarded } });
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      pipeline(answer, response, () => {});
    });
    sent.on('error', () => response.headersSent || response.writeHead(502).end('Bad Gateway'));
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
  return {
    url: `https://${host}:${(proxy.address() as AddressInfo).port}`,
    leadTo(url) {
      behind = url;
    },
    close: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

/** A certificate for localhost and 127.0.0.1 that is used only in tests. Its key is not a secret. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUGV7tVI70VKpM6Odez0xDzqJtyNMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjExMzMyNloYDzIxMjYxMDI5
MTEzMzI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQDY7dChBVgILocTeu7zp5JVeyb9hKsuuyr0zOtv6BUo2dyws2tSRo5
bIhyInzqS84HEP4DDZi+KMdcd8rTLOYlo28wbTAdBgNVHQ4EFgQUj40DhEZhX3ni
i1OvnBbUxx8WAuwwHwYDVR0jBBgwFoAUj40DhEZhX3nii1OvnBbUxx8WAuwwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJgTkFy0OJXt2Z6Zzfl3oKxMsSyVga0izYO4C8jSqcyMAiAk
fI0cyqcQGkEzioOKbSGePHxMRQ3vEz8pC4z/WkOxhg==
-----END CERTIFICATE-----
`;

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHm2fvav0pcp+tAew
WYZRiEVYKQ5EtB5a78cpjlj5SDahRANCAAQDY7dChBVgILocTeu7zp5JVeyb9hKs
uuyr0zOtv6BUo2dyws2tSRo5bIhyInzqS84HEP4DDZi+KMdcd8rTLOYl
-----END PRIVATE KEY-----
`;
