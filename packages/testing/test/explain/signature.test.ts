// Each likely mistake of a client is made once, and found with its cause.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { explainSignature, type SignedCall } from '@sealpost/testing/explain';

const BUILD = 'the-build-token-of-this-test';
const TOKEN = 'access-token-that-is-rather-long';
const VERSION = '3.7.2';
const PATH = '/api/lan/notice?lang=en_US&country=JP&nextSeq=0&includeBody=true';
const BODY = '[1, {"to":"u00000000000000000000000000000001","text":"Grüße / <hi>","contentType":0}]';

const sha = (data: string): Buffer => createHash('sha256').update(data).digest();
const mac = (key: string | Buffer, data: string | Buffer): Buffer => createHmac('sha256', key).update(data).digest();

interface Made {
  readonly build?: string;
  readonly version?: string;
  readonly token?: string;
  readonly path?: string;
  readonly body?: string | Buffer;
}

/** Signs as docs/signature.md says, with values that a client may have got wrong. */
const sign = ({ build = BUILD, version = VERSION, token = TOKEN, path = PATH, body = BODY }: Made): Buffer =>
  mac(mac(build, Buffer.concat([sha(version), sha(token)])), Buffer.concat([Buffer.from(path), Buffer.from(body)]));

const callWith = (signature: string | undefined, more: Partial<SignedCall> = {}): SignedCall => ({
  verb: 'POST',
  path: PATH,
  headers: [
    ['Host', 'chat.example.org:8787'],
    ['x-svc-access', TOKEN],
    ['X-Svc-Client-Version', VERSION],
    ...(signature === undefined ? [] : [['X-Hmac', signature]]),
  ],
  body: Buffer.from(BODY),
  ...more,
});

const known = { buildTokens: ['another-accepted-token', BUILD] };

test('a right signature is right, under any of the accepted build tokens', () => {
  const finding = explainSignature(callWith(sign({}).toString('base64')), known);
  assert.deepEqual([finding.state, finding.cause], ['right', undefined]);
  assert.equal(finding.expected, finding.given);
  const token = finding.ingredients.find(({ name }) => name === 'access token')?.value ?? '';
  assert.match(token, /^acce… \(32 characters\)$/);
  assert.ok(!JSON.stringify(finding.ingredients).includes(TOKEN));
  assert.ok(!JSON.stringify(finding.ingredients).includes(BUILD));
});

test('a missing signature is absent, and the expected one is told', () => {
  const { state, expected, given, cause } = explainSignature(callWith(undefined), { buildTokens: [BUILD] });
  assert.deepEqual([state, expected, given, cause], ['absent', sign({}).toString('base64'), undefined, undefined]);
});

test('the vectors of docs/signature-vectors.json are right', () => {
  const page = join(import.meta.dirname, '../../../../docs/signature-vectors.json');
  const vectors: Record<string, string>[] = JSON.parse(readFileSync(page, 'utf8'));
  assert.ok(vectors.length > 3);
  for (const {
    name,
    buildToken = '',
    version = '',
    accessToken = '',
    path = '',
    body = '',
    signature = '',
  } of vectors) {
    const headers = [
      ['X-Svc-Client-Version', version],
      ['X-Svc-Access', accessToken],
      ['X-Hmac', signature],
    ];
    // The vectors have paths as text; a server receives the bytes of that text, one character for each.
    const received = Buffer.from(path).toString('latin1');
    const call = { verb: 'POST', path: received, headers, body: Buffer.from(body) };
    assert.equal(explainSignature(call, { buildTokens: [buildToken] }).state, 'right', name);
  }
});

const key = mac(BUILD, Buffer.concat([sha(VERSION), sha(TOKEN)]));
const spaced = JSON.stringify(JSON.parse(BODY)).replaceAll(/([,:])(?=["{\d])/g, '$1 ');

/** A mistake, the signature that it makes, and what must be said about it. */
const mistakes: readonly (readonly [name: string, signature: Buffer | string, cause: RegExp, difference?: RegExp])[] = [
  [
    'no query',
    sign({ path: '/api/lan/notice' }),
    /query is not part/,
    /^byte 16 of the path: the server has 0x3f, "\?lang/,
  ],
  [
    'another order of the query',
    sign({ path: '/api/lan/notice?country=JP&includeBody=true&lang=en_US&nextSeq=0' }),
    /query was signed in another order/,
    /^byte 17 of the path/,
  ],
  ['no prefix', sign({ path: PATH.slice('/api'.length) }), /without its beginning/, /^byte 2 of the path/],
  ['a prefix', sign({ path: `/api${PATH}` }), /with \/api in front/],
  ['the prefix of a proxy', sign({ path: `/chat/v1${PATH}` }), /with \/chat\/v1 in front/],
  ['the whole address', sign({ path: `https://chat.example.org:8787${PATH}` }), /whole address/],
  ['host and path', sign({ path: `chat.example.org:8787${PATH}` }), /host was signed/],
  ['no slash', sign({ path: PATH.slice(1) }), /without the slash at its beginning/],
  [
    'the body without spaces',
    sign({ body: JSON.stringify(JSON.parse(BODY)) }),
    /anew: without spaces$/,
    /^byte 4 of the body/,
  ],
  [
    'the body as Python writes it',
    sign({ body: pythonJson() }),
    /a space after each comma and colon, with \\u escapes/,
  ],
  ['the body with spaces', sign({ body: spaced }), /anew: with a space after each comma and colon$/],
  ['the body as PHP writes it', sign({ body: phpJson() }), /\\\/ for each slash and \\u escapes/],
  ['the body as Go writes it', sign({ body: goJson() }), /\\u escapes for <, > and &/],
  ['the body with sorted keys', sign({ body: sortedJson() }), /anew: with sorted keys, without spaces/],
  ['the body indented', sign({ body: JSON.stringify(JSON.parse(BODY), null, 2) }), /indented by two spaces/],
  ['no body', sign({ body: '' }), /body is not part/, /the client signed nothing more/],
  ['a line break after the body', sign({ body: `${BODY}\n` }), /line break at its end/],
  ['the body in Latin-1', sign({ body: Buffer.from(BODY, 'latin1') }), /signed as Latin-1/],
  ['the body encoded twice', sign({ body: Buffer.from(BODY).toString('latin1') }), /UTF-8 already/],
  ['no version', sign({ version: '' }), /empty version/],
  ['no access token', sign({ token: '' }), /without its access token/, /32 bytes, the client signed 0/],
  ['the token of before the renewal', sign({ token: 'an-earlier-access-token' }), /another access token was signed/],
  ['undefined in place of the token', sign({ token: 'undefined' }), /text "undefined"/],
  ['another build token', sign({ build: 'sealpost-dev' }), /another build token/, /^byte 1 of the build token differs/],
  ['a build token with a line break', sign({ build: `${BUILD}\n` }), /build token has a line break/],
  ['base64url', sign({}).toString('base64url'), /base64url, or base64 without padding/, /of the signature/],
  ['hex', sign({}).toString('hex'), /hex in place of base64/],
  ['base64 of hex', Buffer.from(sign({}).toString('hex')).toString('base64'), /base64 of the hex text/],
  [
    'hex of a signature without query',
    sign({ path: '/api/lan/notice' }).toString('hex'),
    /hex .*; and the query is not/,
  ],
  ['percent-encoded base64', encodeURIComponent(sign({}).toString('base64')), /percent-encoded/],
  ['spaces around', ` ${sign({}).toString('base64')} `, /spaces or quotes/],
  ['swapped hashes', mac(mac(BUILD, Buffer.concat([sha(TOKEN), sha(VERSION)])), PATH + BODY), /hashes are swapped/],
  [
    'hashes as hex text',
    mac(mac(BUILD, sha(VERSION).toString('hex') + sha(TOKEN).toString('hex')), PATH + BODY),
    /as hex text: the bytes/,
  ],
  ['one hash', mac(mac(BUILD, sha(VERSION + TOKEN)), PATH + BODY), /hashed together/],
  ['no hashes', mac(mac(BUILD, VERSION + TOKEN), PATH + BODY), /were not hashed/],
  ['the key as hex text', mac(key.toString('hex'), PATH + BODY), /key was used as hex text/],
  ['the build token as the key', mac(BUILD, PATH + BODY), /build token itself signed/],
  [
    'swapped key and data',
    mac(mac(Buffer.concat([sha(VERSION), sha(TOKEN)]), BUILD), PATH + BODY),
    /first HMAC are swapped/,
  ],
  ['the body first', mac(key, BODY + PATH), /body and path are swapped/],
  ['the verb too', mac(key, `POST${PATH}${BODY}`), /verb was signed/],
  ['verb and path in lines', mac(key, `POST\n${PATH}\n${BODY}`), /verb was signed/],
  ['a line break between', mac(key, `${PATH}\n${BODY}`), /"\\n" was signed between/],
  ['only the body', mac(key, BODY), /path is missing/],
  ['a hashed body', mac(key, PATH + sha(BODY).toString('hex')), /SHA-256 of the body/],
  [
    'SHA-512',
    createHmac('sha512', key)
      .update(PATH + BODY)
      .digest(),
    /64 bytes in place of 32; SHA-512 .*used sha512/,
  ],
  ['something else', 'not a signature', /is not base64 of 32 bytes: it has 15 characters/],
];

for (const [name, made, cause, difference] of mistakes) {
  test(`found: ${name}`, () => {
    const given = typeof made === 'string' ? made : made.toString('base64');
    const finding = explainSignature(callWith(given), {
      ...known,
      earlierAccessTokens: ['an-earlier-access-token'],
      urls: ['https://chat.example.org:8787/chat/v1'],
    });
    assert.equal(finding.state, 'wrong');
    assert.match(finding.cause ?? 'no cause', cause);
    if (difference) assert.match(finding.difference ?? '', difference);
  });
}

test('a mistake that nobody thought of has no cause', () => {
  const { state, cause } = explainSignature(callWith(sign({ version: '3.7.1' }).toString('base64')), known);
  assert.deepEqual([state, cause], ['wrong', undefined]);
});

test('the other version of two headers is found', () => {
  const call = callWith(sign({ version: '2.0.0' }).toString('base64'));
  const headers = [...call.headers, ['X-Svc-Chrome-Version', '2.0.0']];
  const { cause, difference } = explainSignature({ ...call, headers }, known);
  assert.equal(cause, 'the version "2.0.0" was signed, but the server uses "3.7.2"');
  assert.match(difference ?? '', /^byte 1 of the version: the server has 0x33/);
});

test('before a login, the hash of the empty token is missing, or a body that was never sent was signed', () => {
  const headers = (signature: Buffer) => [['X-Hmac', signature.toString('base64')]];
  const get = (signature: Buffer): SignedCall => ({
    ...{ verb: 'GET', path: PATH, headers: headers(signature), body: Buffer.alloc(0) },
  });
  const left = explainSignature(get(mac(mac(BUILD, sha(VERSION)), PATH)), known);
  assert.match(left.cause ?? '', /even the empty token is hashed/);
  const braces = explainSignature(get(sign({ token: '', body: '{}' })), known);
  assert.match(braces.cause ?? '', /"{}" was signed, but none was sent/);
  const early = explainSignature(get(sign({ token: TOKEN, body: '' })), { ...known, earlierAccessTokens: [TOKEN] });
  assert.match(early.cause ?? '', /the request does not carry it/);
});

test('encodings of the query are tried: a plus for a space, and small letters in percent codes', () => {
  const path = '/api/lan/notice?lang=a%20b%2Fc';
  for (const signed of [
    '/api/lan/notice?lang=a+b%2Fc',
    '/api/lan/notice?lang=a%20b%2fc',
    '/api/lan/notice?lang=a b/c',
  ]) {
    const { cause } = explainSignature(callWith(sign({ path: signed }).toString('base64'), { path }), known);
    assert.match(cause ?? '', /other percent-encoding/, signed);
  }
});

/** The JSON of Python's json.dumps. */
function pythonJson(): string {
  return spaced.replaceAll('ü', '\\u00fc').replaceAll('ß', '\\u00df');
}

/** The JSON of PHP's json_encode. */
function phpJson(): string {
  const plain = JSON.stringify(JSON.parse(BODY)).replaceAll('/', '\\/');
  return plain.replaceAll('ü', '\\u00fc').replaceAll('ß', '\\u00df');
}

/** The JSON of Go's encoding/json. */
function goJson(): string {
  return JSON.stringify(JSON.parse(BODY)).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

function sortedJson(): string {
  const [first, { contentType, text, to }] = JSON.parse(BODY);
  return JSON.stringify([first, { contentType, text, to }]);
}
