// How existing clients speak: their headers, their signatures that nobody can check, and how they read answers.
import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { type MethodName, pathOf, type RSAKeyInfo } from '@sealpost/contract';
import { createRawClient, type Loose, type RawAnswer } from './raw-client.ts';

/** What sets one kind of client apart from the others. */
export interface ClientKind {
  readonly version: string;
  /** Sent on every call; `Svc` stands for the brand. */
  readonly headers: Readonly<Record<string, string>>;
  /** Repeats the token in the cookie. */
  readonly cookie?: true;
  /** How the client writes JSON. */
  readonly write: (args: unknown) => string;
}

const compact = (args: unknown): string => JSON.stringify(args);
/** Blanks after commas and colons; only for values without those in strings. */
const spaced = (args: unknown): string => JSON.stringify(args, null, 1).replaceAll(/\n */g, ' ');

export const clientKinds = {
  /** A bridge: judges by the HTTP status and by pieces of the text, and repeats the token in a cookie. */
  bridge: {
    version: '3.7.2',
    headers: { 'X-Svc-Application': 'CHROMEOS\t3.7.2\tChrome_OS' },
    cookie: true,
    write: compact,
  },
  /** A script: flat arguments, an older version, the origin of an extension. */
  script: {
    version: '3.7.1',
    headers: { Origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' },
    write: spaced,
  },
  /** A development kit: reads the message of the envelope. */
  kit: { version: '3.7.2', headers: { 'X-Svc-Application': 'CHROMEOS\t3.7.2\tChrome_OS\t1\t' }, write: compact },
  /** A typed library: leaves out whatever may be left out. */
  typed: { version: '3.7.2', headers: {}, write: compact },
} as const satisfies Record<string, ClientKind>;

export type ExistingClient = Awaited<ReturnType<typeof createExistingClient>>;

export interface Where {
  readonly url: string;
  readonly brand: string;
}

export function createExistingClient(kind: ClientKind, { url, brand }: Where) {
  const raw = createRawClient({ url, brand });
  let token: string | undefined;
  const branded = (headers: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('-Svc-', `-${brand}-`), value]));
  const headers = () =>
    branded({
      'X-Svc-Client-Version': undefined,
      'X-Svc-Chrome-Version': kind.version,
      ...kind.headers,
      ...(kind.cookie && token !== undefined && { Cookie: `lct=${token}` }),
    });
  /** 32 bytes that only the client knows how it made. */
  const signature = () => randomBytes(32).toString('base64');

  const post = (path: string, args: unknown, more: { signature?: false; token?: undefined } = {}) =>
    raw.send(path, { body: kind.write(args), token, headers: headers(), signature: signature(), ...more });

  return {
    raw,
    post,
    get token() {
      return token;
    },
    useToken: (value: string | undefined) => {
      token = value;
    },
    call: (method: MethodName, ...args: readonly unknown[]): Promise<RawAnswer> => post(pathOf(method), args),
    /** The result of a call that must succeed, in the eyes of every kind of client. */
    async result(method: MethodName, ...args: readonly unknown[]): Promise<Loose> {
      const answer = await post(pathOf(method), args);
      if (answer.status !== 200 || answer.body.code !== 0 || answer.body.message !== 'OK') {
        throw new Error(`${method}${kind.write(args)}: HTTP ${answer.status} ${answer.text}`);
      }
      return answer.body.data as Loose;
    },
    async logIn(identifier: string, password: string): Promise<Loose> {
      const key = (await this.result('TalkService.getRSAKeyInfo', 1)) as unknown as RSAKeyInfo;
      const data = await this.result('AuthService.loginV2', {
        type: 0,
        identityProvider: 1,
        identifier: key.keynm,
        password: credential(key, identifier, password),
        keepLoggedIn: false,
        accessLocation: '',
        systemName: 'Chrome',
        modelName: '',
        certificate: '',
        verifier: '',
        secret: '',
        e2eeVersion: 1,
      });
      token = data.tokenV3IssueResult?.accessToken as unknown as string;
      return data;
    },
    /** Opens the stream without a signature, with the token in header and cookie. */
    openStream: (query: string, streamHeaders: Record<string, string> = {}) =>
      openStream(url, `/api/operation/receive${query}`, branded({ 'X-Svc-Access': token, ...streamHeaders })),
    close: () => raw.close(),
  };
}

/** Session key, identifier and password, each behind its length, encrypted and in lower-case hex. */
export function credential({ nvalue, evalue, sessionKey }: RSAKeyInfo, identifier: string, password: string): string {
  const number = (hex: string) =>
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n: number(nvalue), e: number(evalue) }, format: 'jwk' });
  const blob = [sessionKey, identifier, password].map((part) => Buffer.from(part));
  const plain = Buffer.concat(blob.flatMap((part) => [Buffer.from([part.length]), part]));
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain).toString('hex');
}

export interface StreamEvent {
  /** Undefined for operations. */
  readonly name: string | undefined;
  readonly data: Loose;
}

export interface OpenStream {
  readonly status: number;
  readonly contentType: string | undefined;
  /** All lines so far, as they came. */
  lines(): readonly string[];
  /** The first operation, from the start of the stream, that fits. */
  operation(fits: (operation: Loose) => boolean): Promise<Loose>;
  /** The first named event that fits. */
  event(name: string): Promise<StreamEvent>;
  /** Resolves when the server closes. */
  readonly closed: Promise<void>;
  close(): void;
}

const PATIENCE_MS = 5_000;

function openStream(url: string, path: string, headers: Record<string, string | undefined>): Promise<OpenStream> {
  const { hostname, port } = new URL(url);
  const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest(
      { hostname, port, path, headers: { Accept: 'text/event-stream', ...present } as Record<string, string> },
      (response) => {
        let text = '';
        const waiting = new Set<() => void>();
        const wake = () => {
          for (const look of waiting) look();
        };
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
          wake();
        });
        response.on('error', () => {});
        const closed = new Promise<void>((done) => response.on('close', done));
        const find = (fits: (event: StreamEvent) => boolean) =>
          new Promise<StreamEvent>((found, missed) => {
            const timer = setTimeout(() => {
              waiting.delete(look);
              missed(new Error(`no such event in:\n${text}`));
            }, PATIENCE_MS);
            const look = () => {
              const event = eventsOf(text).find(fits);
              if (!event) return;
              clearTimeout(timer);
              waiting.delete(look);
              found(event);
            };
            waiting.add(look);
            look();
          });
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'],
          lines: () => text.split('\n'),
          operation: async (fits) => (await find(({ name, data }) => name === undefined && fits(data))).data,
          event: (name) => find((event) => event.name === name),
          closed,
          close: () => request.destroy(),
        });
      },
    );
    request.on('error', (error) => reject(error));
    request.end();
  });
}

/** As strictly as the strictest client: every line of an event has a colon, data is one line of JSON. */
function eventsOf(text: string): StreamEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map<string, string>();
    for (const line of block.split('\n').filter((l) => l !== '')) {
      const colon = line.indexOf(':');
      if (colon < 0) throw new Error(`a line without a colon: ${line}`);
      fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
    }
    const data = fields.get('data');
    return data === undefined ? [] : [{ name: fields.get('event'), data: JSON.parse(data) as Loose }];
  });
}
