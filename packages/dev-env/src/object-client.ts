// Makes plain HTTP requests to the object storage, with the headers of the protocol.
import type { TestServer, TestUser } from './harness.ts';

export interface ObjectAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  json(): Record<string, unknown>;
}

export type HeaderMap = Readonly<Record<string, string>>;

export const params = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Returns the X-Talk-Meta header for a message, in the form of existing clients. */
export function talkMeta(messageId: string, form: 'base64' | 'base64url' = 'base64'): string {
  const id = Buffer.from(messageId);
  const head = Buffer.from([0x0b, 0, 4, 0, 0, 0, id.length]);
  const message = Buffer.concat([head, id, Buffer.from([0x0f, 0, 0x1b, 0x0c, 0, 0, 0, 0, 0])]);
  return Buffer.from(JSON.stringify({ message: message.toString(form) })).toString(form);
}

export const accessToken = (user: TestUser): string => user.client.session?.tokens.accessToken ?? '';

/** Returns the token that clients send to the object storage. */
export async function objectToken(user: TestUser): Promise<string> {
  const text = await user.client.TalkService.acquireEncryptedAccessToken(2);
  return text.split('\x1e')[1] as string;
}

export function objectClient(server: TestServer) {
  async function send(
    method: string,
    path: string,
    user: TestUser | undefined,
    options: { headers?: HeaderMap; body?: Buffer | string | ReadableStream } = {},
  ): Promise<ObjectAnswer> {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(user && { 'X-Svc-Access': accessToken(user) }), ...options.headers },
      ...(options.body !== undefined && { body: options.body as BodyInit, duplex: 'half' }),
    } as RequestInit);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body, json: () => JSON.parse(body.toString()) };
  }
  return {
    send,
    get: (user: TestUser | undefined, path: string, headers: HeaderMap = {}) => send('GET', path, user, { headers }),
    post: (user: TestUser | undefined, path: string, body: Buffer | string, headers: HeaderMap = {}) =>
      send('POST', path, user, { body, headers: { 'Content-Type': 'application/octet-stream', ...headers } }),
  };
}
