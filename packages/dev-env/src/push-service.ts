// A push service for tests, with browsers that receive its messages. It makes the checks of a real push service, and
// decrypts each message like a browser (RFC 8291, RFC 8292). It shares no code with the server.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

const { subtle } = globalThis.crypto;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const SALT_BYTES = 16;
const KEY_ID_AT = 21;

export interface ReceivedPush {
  readonly headers: IncomingHttpHeaders;
  /** The content of the push message, decrypted. */
  readonly message: unknown;
}

export interface TestBrowser {
  /** The subscription that the page sends to the server. */
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  readonly pushes: readonly ReceivedPush[];
  /** The encrypted bytes of all messages, as the push service received them. */
  readonly seen: readonly Buffer[];
  /** Refuses the next requests with these statuses, and with the header Retry-After if a value is given. */
  refuse(...answers: readonly (readonly [status: number, retryAfter?: string])[]): void;
  /** The number of requests for this browser, including refused ones. */
  readonly requests: number;
}

export interface TestPushService {
  readonly url: string;
  /** Creates a browser whose subscription accepts pushes under this public key of a server. */
  browser(applicationServerKey: string): Promise<TestBrowser>;
  close(): Promise<void>;
}

export async function startPushService(): Promise<TestPushService> {
  const browsers = new Map<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>();
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    const take = browsers.get(request.url ?? '');
    if (!take) response.writeHead(404).end();
    else
      take(request, response).catch((error: unknown) => {
        faults.push(error);
        response.writeHead(400).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the push service has no port');
  const url = `http://127.0.0.1:${address.port}`;

  return {
    url,
    async browser(applicationServerKey) {
      const pair = await subtle.generateKey(CURVE, true, ['deriveBits']);
      const point = Buffer.from(await subtle.exportKey('raw', pair.publicKey));
      const auth = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
      const path = `/push/${auth.toString('hex')}`;
      const pushes: ReceivedPush[] = [];
      const seen: Buffer[] = [];
      const answers: (readonly [number, string?])[] = [];
      let requests = 0;
      browsers.set(path, async (request, response) => {
        requests += 1;
        const body = Buffer.concat(await request.toArray());
        const [status, retryAfter] = answers.shift() ?? [];
        if (status !== undefined) {
          response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
          return;
        }
        const { headers } = request;
        await requireAuthorization(headers, url, applicationServerKey);
        requireHeaders(headers);
        const message: unknown = JSON.parse((await opened(body, pair.privateKey, point, auth)).toString());
        seen.push(body);
        pushes.push({ headers, message });
        response.writeHead(201).end();
      });
      return {
        subscription: {
          endpoint: url + path,
          p256dh: point.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        pushes,
        seen,
        refuse: (...some) => void answers.push(...some),
        get requests() {
          return requests;
        },
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (faults.length > 0) throw new AggregateError(faults, 'the push service refused a message of the server');
    },
  };
}

/**
 * Checks headers that every push service requires: the time for which it keeps the message, the encoding, and a topic
 * of at most 32 characters.
 */
function requireHeaders(headers: IncomingHttpHeaders): void {
  if (!/^\d+$/.test(String(headers.ttl))) throw new Error(`TTL is ${headers.ttl}`);
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error(`Content-Encoding: ${headers['content-encoding']}`);
  if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error(`Topic is ${headers.topic}`);
}

/**
 * Checks the token of the push server: signed under the key that the browser subscribed with, made for this push
 * service, and not expired.
 */
async function requireAuthorization(headers: IncomingHttpHeaders, origin: string, key: string): Promise<void> {
  const [, token = '', shownKey] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (shownKey !== key) throw new Error(`the browser subscribed under ${key}, and the push is under ${shownKey}`);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const verifying = await subtle.importKey(
    'raw',
    Buffer.from(key, 'base64url'),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  );
  const signed = Buffer.from(`${head}.${claims}`);
  const given = Buffer.from(signature, 'base64url');
  if (!(await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, verifying, given, signed)))
    throw new Error('the signature of the push is wrong');
  const said: Record<string, unknown> = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const { aud, exp, sub } = said;
  if (aud !== origin) throw new Error(`aud is ${aud}`);
  if (typeof exp !== 'number' || exp * 1000 < Date.now() || exp * 1000 > Date.now() + 86_400_000)
    throw new Error(`exp is ${exp}`);
  if (!/^(mailto|https):/.test(String(sub))) throw new Error(`sub is ${sub}`);
}

async function opened(body: Buffer, privateKey: CryptoKey, point: Buffer, auth: Buffer): Promise<Buffer> {
  const salt = body.subarray(0, SALT_BYTES);
  const senderPoint = body.subarray(KEY_ID_AT, KEY_ID_AT + (body[KEY_ID_AT - 1] ?? 0));
  const sealed = body.subarray(KEY_ID_AT + senderPoint.length);
  const sender = await subtle.importKey('raw', new Uint8Array(senderPoint), CURVE, false, []);
  const shared = Buffer.from(await subtle.deriveBits({ name: 'ECDH', public: sender }, privateKey, 256));
  const secret = await hkdf(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), point, senderPoint]), 32);
  const key = await hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const iv = await hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const opening = await subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['decrypt']);
  const plain = Buffer.from(
    await subtle.decrypt({ name: 'AES-GCM', iv: new Uint8Array(iv) }, opening, new Uint8Array(sealed)),
  );
  const end = plain.lastIndexOf(2);
  if (end < 0) throw new Error('the message has no end mark');
  return plain.subarray(0, end);
}

async function hkdf(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Promise<Buffer> {
  const key = await subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveBits']);
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info: new Uint8Array(info) };
  return Buffer.from(await subtle.deriveBits(parameters, key, bytes * 8));
}
