// Makes the bytes of requests. A send has a body of 600 bytes, both for the gateway and for the floor, unless the length
// of its text is given.
import {
  brandHeader,
  clientVersion,
  httpPaths,
  type MethodName,
  midPrefix,
  midTypes,
  pathOf,
  plainHeaders,
} from '@sealpost/contract';
import { type PreparedKey, prepareKey, sign } from '@sealpost/crypto/node';

export const BODY_BYTES = 600;
export const BUILD_TOKEN = 'sealpost-dev';
const BRAND = 'Svc';
/** The header that tells the floor how long its answer is. */
export const ANSWER_BYTES = 'x-answer-bytes';

export interface User {
  readonly mid: string;
  readonly accessToken: string;
}

export const keyOf = (user: User): PreparedKey => prepareKey(BUILD_TOKEN, clientVersion, user.accessToken);

const headers = (user: User, signature: string): string =>
  `Host: 127.0.0.1\r\n${brandHeader(BRAND, 'clientVersion')}: ${clientVersion}\r\n` +
  `${brandHeader(BRAND, 'access')}: ${user.accessToken}\r\n${plainHeaders.hmac.name}: ${signature}\r\n`;

/**
 * Returns a signed sendMessage request. The text of the message contains `mark`, so the recipient's operation contains
 * it too.
 * @param textBytes the length of the text; without it, the body of the request has `BODY_BYTES`
 */
export function sendRequest(
  user: User,
  key: PreparedKey,
  reqSeq: number,
  to: string,
  mark: string,
  textBytes?: number,
): string {
  const toType = to.startsWith(midPrefix.group) ? midTypes.GROUP : midTypes.USER;
  const start =
    `[${reqSeq},{"from":"${user.mid}","to":"${to}","toType":${toType},"id":"local-${reqSeq}","createdTime":"0",` +
    `"contentType":0,"contentMetadata":{},"hasContent":false,"text":"<${mark}>`;
  const filling = textBytes === undefined ? BODY_BYTES - start.length - 3 : textBytes - mark.length - 2;
  return post(user, key, pathOf('TalkService.sendMessage'), `${start}${'x'.repeat(filling)}"}]`);
}

/** Returns a signed call of any method. All arguments must be ASCII. */
export const callRequest = (user: User, key: PreparedKey, method: MethodName, args: readonly unknown[]): string =>
  post(user, key, pathOf(method), JSON.stringify(args));

/** Returns a request whose answer by the floor has a certain length. */
export const answeredWith = (request: string, bytes: number): string =>
  request.replace('\r\n', `\r\n${ANSWER_BYTES}: ${bytes}\r\n`);

/** Returns a request that renews the tokens of a session. */
export const refreshRequest = (user: User, key: PreparedKey, refreshToken: string): string =>
  post(user, key, httpPaths.tokenRefresh, JSON.stringify({ refreshToken }));

function post(user: User, key: PreparedKey, path: string, body: string): string {
  const signature = sign(key, path, Buffer.from(body, 'latin1'));
  return (
    `POST ${path} HTTP/1.1\r\n${headers(user, signature)}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

export const MARK = /<([0-9a-z.]+)>/;

/** @param cursor the last revision that the reader has; without it the stream begins at the end of the log */
export function streamRequest(user: User, key: PreparedKey, cursor?: string): string {
  const path = `${httpPaths.operationReceive}${cursor === undefined ? '' : `?localRev=${cursor}`}`;
  return `GET ${path} HTTP/1.1\r\n${headers(user, sign(key, path, Buffer.alloc(0)))}Accept: text/event-stream\r\n\r\n`;
}
