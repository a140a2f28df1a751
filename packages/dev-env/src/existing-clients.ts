// Imitates existing clients: their headers, their signatures, which the server cannot check, and the way in which they
// read answers.
import assert from 'node:assert/strict';
import { constants, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { createRawClient, type Loose, openStream, type RawAnswer } from '@sealpost/conformance/testing';
import { httpPaths, type MethodName, pathOf, type RSAKeyInfo } from '@sealpost/contract';
import { methodNames } from '@sealpost/contract/schemas';

/** The properties in which kinds of clients differ. */
export interface ClientKind {
  readonly version: string;
  /** The name of this kind in docs/clients.md. `about` describes it there. */
  readonly title: string;
  readonly about: string;
  /** The headers of every call. `Svc` stands for the brand. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the client also sends its token in a cookie. */
  readonly cookie?: true;
  /** Converts arguments to JSON, with the white space of this kind of client. */
  readonly write: (args: unknown) => string;
}

const compact = (args: unknown): string => JSON.stringify(args);
/** Returns JSON with blanks after commas and colons. Strings in the value must not contain line breaks. */
const spaced = (args: unknown): string => JSON.stringify(args, null, 1).replaceAll(/\n */g, ' ');

export const clientKinds = {
  /** A bridge: recognizes errors by the HTTP status and by pieces of the text, and repeats the token in a cookie. */
  bridge: {
    title: 'Bridge',
    about: 'Joins this network to another one. Repeats its token in a cookie, tries a sealed login first.',
    version: '3.7.2',
    headers: { 'X-Svc-Application': 'CHROMEOS\t3.7.2\tChrome_OS' },
    cookie: true,
    write: compact,
  },
  /** A script: sends flat arguments, states an older version, and sends the origin of a browser extension. */
  script: {
    title: 'Script',
    about: 'A program of a few pages, or a page of a browser extension. Flat arguments, blanks in its JSON, polls.',
    version: '3.7.1',
    headers: { Origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop' },
    write: spaced,
  },
  /** A development kit: recognizes errors by the message in the envelope. */
  kit: {
    title: 'Development kit',
    about: 'Bots are made with it. Leaves out sender and times, opens the stream without a query.',
    version: '3.7.2',
    headers: { 'X-Svc-Application': 'CHROMEOS\t3.7.2\tChrome_OS\t1\t' },
    write: compact,
  },
  /** A typed library: leaves out all optional values. */
  typed: {
    title: 'Typed library',
    about: 'Leaves out whatever may be left out, repeats sends, renews its tokens without a signature.',
    version: '3.7.2',
    headers: {},
    write: compact,
  },
} as const satisfies Record<string, ClientKind>;

export type KindName = keyof typeof clientKinds;

const kindNames = Object.keys(clientKinds) as readonly KindName[];
const nameOfKind = (kind: ClientKind): KindName =>
  kindNames.find((name) => clientKinds[name] === kind) ?? assert.fail('this kind of client is not in the table');

const methodOf = new Map(methodNames.map((name) => [pathOf(name), name]));

/**
 * Returns a function that makes clients, and the calls that its clients have made. The list in existing-calls.ts must
 * be the same.
 */
export function existingClients() {
  const tried = new Map<KindName, Set<string>>();
  return {
    create: (kind: ClientKind, address: ServerAddress) => {
      const name = nameOfKind(kind);
      const calls = tried.get(name) ?? new Set();
      tried.set(name, calls);
      return createExistingClient(kind, address, (path) => calls.add(callOf(path)));
    },
    /** Returns the calls by kind of client, sorted by name. */
    callsTried: (): Partial<Record<KindName, readonly string[]>> =>
      Object.fromEntries([...tried].map(([kind, calls]) => [kind, [...calls].sort()])),
  };
}

/** Returns the name of the method to which a path belongs. If it belongs to none, returns the path without its query. */
function callOf(path: string): string {
  const [bare = path] = path.split('?');
  return methodOf.get(bare) ?? bare;
}

export type ExistingClient = Awaited<ReturnType<typeof createExistingClient>>;

export interface ServerAddress {
  readonly url: string;
  readonly brand: string;
}

/** @param onCall is told the path of each call before it is sent. */
function createExistingClient(kind: ClientKind, { url, brand }: ServerAddress, onCall: (path: string) => void) {
  const made = createRawClient({ url, brand });
  const raw: typeof made = {
    ...made,
    send(path, request) {
      onCall(path);
      return made.send(path, request);
    },
  };
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
  /**
   * Returns 32 random bytes in place of a signature, because the server cannot check the signatures of existing
   * clients.
   */
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
    /** Makes a call that must succeed for every kind of client, and returns its result. */
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
    /** Opens the stream without a signature. The token is sent only in a header. */
    openStream(query: string, streamHeaders: Record<string, string> = {}) {
      onCall(httpPaths.operationReceive);
      return openStream(
        url,
        `${httpPaths.operationReceive}${query}`,
        branded({ 'X-Svc-Access': token, ...streamHeaders }),
      );
    },
    close: () => raw.close(),
  };
}

/**
 * Encrypts session key, identifier and password with the server's RSA key. A byte with its length precedes each of
 * them. Returns lower-case hex.
 */
export function credential({ nvalue, evalue, sessionKey }: RSAKeyInfo, identifier: string, password: string): string {
  const number = (hex: string) =>
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n: number(nvalue), e: number(evalue) }, format: 'jwk' });
  const blob = [sessionKey, identifier, password].map((part) => Buffer.from(part));
  const plain = Buffer.concat(blob.flatMap((part) => [Buffer.from([part.length]), part]));
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain).toString('hex');
}
