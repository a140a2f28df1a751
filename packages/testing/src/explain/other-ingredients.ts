// The values that a client may have used in place of an ingredient of its signature, tried one at a time.
import { isUtf8 } from 'node:buffer';
import { firstDifference } from './differences.ts';
import { jsonForms } from './json-forms.ts';
import { type PathSurroundings, pathForms } from './path-forms.ts';
import { type Ingredients, pathBytes } from './scheme.ts';

/** A wrong value that a client may have used for an ingredient of the signature, and the mistake that explains it. */
export interface Substitute {
  readonly cause: string;
  readonly change: Partial<Ingredients>;
  /** A description of the first byte in which the ingredient differs. */
  readonly difference: string;
}

/** Further values that the search for a mistake may use, besides the request. */
export interface KnownValues extends PathSurroundings {
  /** Access tokens that the client had at other times. */
  readonly accessTokens: readonly string[];
  /** Build tokens that the server does not accept. */
  readonly buildTokens: readonly string[];
  /** Other versions in the headers of the request. */
  readonly versions: readonly string[];
}

/** Returns the wrong values to try, the most frequent mistakes first. */
export function* substitutes(parts: Ingredients, known: KnownValues): Generator<Substitute> {
  for (const { cause, path } of pathForms(parts.path.toString('latin1'), known)) {
    yield {
      cause,
      change: { path: pathBytes(path) },
      difference: firstDifference('path', parts.path, pathBytes(path)),
    };
  }
  for (const { cause, body } of otherBodies(parts.body)) {
    yield { cause, change: { body }, difference: firstDifference('body', parts.body, body) };
  }
  for (const { cause, value } of otherAccessTokens(parts.accessToken, known)) {
    const difference = firstDifference('access token', parts.accessToken, value, true);
    yield { cause, change: { accessToken: value }, difference };
  }
  for (const { cause, value } of otherVersions(parts.version, known)) {
    yield { cause, change: { version: value }, difference: firstDifference('version', parts.version, value) };
  }
  for (const { cause, value } of otherBuildTokens(parts.buildToken, known)) {
    const difference = firstDifference('build token', parts.buildToken, value, true);
    yield { cause, change: { buildToken: value }, difference };
  }
}

interface Other<T = string> {
  readonly cause: string;
  readonly value: T;
}

interface OtherBody {
  readonly cause: string;
  readonly body: Buffer;
}

const EMPTY_BODIES = ['[]', '{}', 'null', 'undefined', '""', '\n'];

function* otherBodies(body: Buffer): Generator<OtherBody> {
  const of = (cause: string, text: string, encoding: BufferEncoding = 'utf8') => ({
    cause,
    body: Buffer.from(text, encoding),
  });
  if (body.length === 0) {
    for (const text of EMPTY_BODIES) yield of(`the body ${JSON.stringify(text)} was signed, but none was sent`, text);
    return;
  }
  yield of('the body is not part of what was signed', '');
  yield { cause: 'the body was signed with a line break at its end', body: Buffer.concat([body, Buffer.from('\n')]) };
  const ended = /\r?\n$/.exec(body.toString('latin1'));
  if (ended)
    yield { cause: 'the body was signed without the line break at its end', body: body.subarray(0, ended.index) };
  yield of('the body was signed as base64 text', body.toString('base64'));
  yield of('the body was signed as hex text', body.toString('hex'));
  // The next mistakes come from decoding or encoding a text with the wrong character set.
  yield of('the body was signed as UTF-8 of bytes that were UTF-8 already', body.toString('latin1'));
  if (!isUtf8(body)) return;
  const text = body.toString('utf8');
  yield of('the characters of the body were signed as Latin-1, but sent as UTF-8', text, 'latin1');
  yield of('the characters of the body were signed as UTF-16, but sent as UTF-8', text, 'utf16le');
  yield of('a quoted JSON text of the body was signed', JSON.stringify(text));
  for (const form of jsonForms(text)) yield of(`the body was encoded anew: ${form.description}`, form.text);
}

/** Texts that programming languages write for a missing value. */
const ABSENT = ['undefined', 'null', 'None', 'nil'];

function* otherAccessTokens(token: string, { accessTokens }: KnownValues): Generator<Other> {
  if (token !== '') {
    yield { cause: 'the request was signed without its access token, as before a login', value: '' };
    yield { cause: 'the access token was signed with "Bearer " in front', value: `Bearer ${token}` };
    yield { cause: 'the access token was signed with a line break at its end', value: `${token}\n` };
  }
  for (const value of accessTokens) {
    if (value === token) continue;
    const cause =
      token === ''
        ? 'an access token was signed, but the request does not carry it'
        : 'another access token was signed: one from before the login or the last renewal';
    yield { cause, value };
  }
  for (const value of ABSENT) yield { cause: `the text "${value}" was signed in place of the access token`, value };
}

function* otherVersions(version: string, { versions }: KnownValues): Generator<Other> {
  for (const value of versions) {
    if (value !== version)
      yield { cause: `the version "${value}" was signed, but the server uses "${version}"`, value };
  }
  yield { cause: 'the empty version was signed', value: '' };
  for (const value of ABSENT) yield { cause: `the text "${value}" was signed in place of the version`, value };
}

function* otherBuildTokens(own: string | Buffer, known: KnownValues): Generator<Other<string | Buffer>> {
  const token = own.toString();
  for (const value of known.buildTokens) {
    if (value !== token)
      yield { cause: 'another build token signed the request, which the server does not accept', value };
  }
  yield { cause: 'the empty build token signed the request', value: '' };
  yield { cause: 'the build token has a line break at its end', value: `${token}\n` };
  yield { cause: 'the build token stands in quotes', value: `"${token}"` };
  yield {
    cause: 'the bytes of the build token, decoded from base64, signed the request',
    value: Buffer.from(token, 'base64'),
  };
  yield {
    cause: 'the bytes of the build token, decoded from hex, signed the request',
    value: Buffer.from(token, 'hex'),
  };
}
