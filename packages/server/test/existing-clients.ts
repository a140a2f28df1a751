// How existing clients speak: their headers, their signatures that nobody can check, and how they read answers.
import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { createRawClient, type Loose, openStream, type RawAnswer } from '@sealpost/conformance/testing';
import { type MethodName, pathOf, type RSAKeyInfo } from '@sealpost/contract';

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
