// Mutations of the head of a request that leave it whole HTTP: path and query, headers, signature and token.
import { brandHeader, brandHeaders, plainHeaders } from '@sealpost/contract';
import type { Random } from '../workload/random.ts';
import { type Draft, signatureOf } from './draft.ts';
import type { Header } from './valid-calls.ts';

const pathPieces: readonly string[] = [
  ...['/', '//', '/.', '/..', '/../', '%2e%2e%2f', '%2F', '%00', '%', '%zz', '%ff', ';', '\\', '*', ':', '@', '~'],
  ...['%C0%AF', '%E2%82', '#a', '__proto__', 'constructor', 'x'.repeat(300), '\u00e9', '\u00ff', '1', 'a', '-', '"'],
];
const queryValues: readonly string[] = [
  ...['', '1', '-1', '0', '1.5', '1e400', '9007199254740993', '18446744073709551616', 'null', '[]', '{}', '%', '%ff'],
  ...['%F0%9F', '%00', 'constructor', "'%20or%201=1;--", 'x'.repeat(4000), '%c3%a9', '+', '%2B', 'true', '&', '='],
];
const prefixes = [
  '/api',
  '/api/api',
  '/r',
  '/r/talk',
  '',
  '/a/../api',
  '/healthz/..',
  '//',
  'http://127.0.0.1',
  '/API',
];

/** Changes path, query or verb. The request is signed afterwards, so the change gets past the signature. */
export function mutatePath(draft: Draft, random: Random): void {
  const [path = '', query = ''] = draft.path.split('?', 2);
  const cut = random.below(path.length + 1);
  switch (random.below(8)) {
    case 0:
      draft.path = `${path.slice(0, cut)}${random.pick(pathPieces)}${path.slice(cut)}${query && `?${query}`}`;
      break;
    case 1:
      draft.path = `${random.pick(prefixes)}${path}${query && `?${query}`}`;
      break;
    case 2: {
      const parts = path.split('/');
      parts.splice(1 + random.below(parts.length), 1, random.pick(pathPieces));
      draft.path = parts.join('/') + (query && `?${query}`);
      break;
    }
    case 3:
      draft.verb = random.pick([
        'GET',
        'POST',
        'PUT',
        'DELETE',
        'PATCH',
        'OPTIONS',
        'HEAD',
        'TRACE',
        'QUERY',
        'PROPFIND',
      ]);
      break;
    case 4:
      draft.path = `${path}?${'a=1&'.repeat(random.below(300))}${query}`;
      break;
    default: {
      const fields = query === '' ? ['localRev', 'mid', 'a'] : query.split('&').map((part) => part.split('=')[0] ?? '');
      const name = random.pick([...fields, ...fields, '', '__proto__', '%00', 'limit', 'cursor']);
      const more = `${name}${random.oneIn(8) ? '' : '='}${random.pick(queryValues)}`;
      draft.path = `${path}?${random.oneIn(3) ? `${query}&${more}` : more}`;
    }
  }
  // Blanks would end the path.
  draft.path = draft.path.replaceAll(' ', '%20');
}

const headerNames: readonly string[] = [
  ...Object.keys(brandHeaders).map((_, n) => `X-Svc-${Object.values(brandHeaders)[n]?.rest}`),
  ...Object.values(plainHeaders).map(({ name }) => name),
  ...[
    'Range',
    'If-None-Match',
    'If-Range',
    'If-Match',
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Last-Event-ID',
  ],
  ...['Content-Type', 'Content-Encoding', 'Cookie', 'Authorization', 'Origin', 'Referer', 'Forwarded', 'Date', 'Via'],
  ...[
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Request-Id',
    'traceparent',
    'tracestate',
    'Sec-Fetch-Site',
    'Priority',
  ],
  ...[
    'Access-Control-Request-Method',
    'Access-Control-Request-Headers',
    'User-Agent',
    'Connection',
    'Keep-Alive',
    'TE',
  ],
  ...['Host', 'Upgrade', '__proto__', 'constructor', 'toString', 'x', 'X-'.repeat(200), 'Idempotency-Key', 'Pragma'],
];
const headerValues: readonly string[] = [
  ...['', ' ', '\t', 'x', '-1', '0', '1', '1.5', '1e400', '9007199254740993', '*', '"', 'W/"', 'null', '[]', '{}'],
  ...[
    'bytes=0-',
    'bytes=5-1',
    'bytes=-0',
    `bytes=${'0-1,'.repeat(300)}5-6`,
    'bytes 0-0/0',
    'bytes 0-1/9007199254740993',
  ],
  ...['e30=', 'bnVsbA==', 'W10=', 'eyJvaWQiOiIuLi8uLi8uLi94In0=', 'eyJuYW1lIjoxfQ==', 'AAAA', '====', '-_-_'],
  ...['gzip', 'identity', 'chunked', 'application/json; charset=utf-16', 'multipart/form-data', 'text/html', 'a/b; q='],
  ...['null', 'http://localhost', 'https://[::1', '127.0.0.1', '::ffff:127.0.0.1', '999.1.1.1, 1', 'for="[::1]:x"'],
  ...[
    'lct=',
    'lct=a; lct=b',
    'a=b; =; ;',
    'Bearer',
    'Bearer  ',
    'Basic OjE=',
    'close',
    'keep-alive, x-hmac',
    'upgrade',
  ],
  ...['\u00e4\u00ff', '\u0080', '__proto__', 'constructor', 'x'.repeat(5000), ','.repeat(2000), '%00', '../../x'],
  ...['Thu, 01 Jan 1970 00:00:00 GMT', '00-00000000000000000000000000000000-0000000000000000-ff', '100-continue'],
];

const without = (headers: readonly Header[], name: string): Header[] =>
  headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());

/** Adds, replaces, doubles or removes headers. */
export function mutateHeaders(draft: Draft, random: Random): void {
  const name = random.pick(headerNames);
  const value = random.pick(headerValues);
  switch (random.below(6)) {
    case 0:
      draft.headers = without(draft.headers, name);
      draft.headers.push([name, value], [name, random.oneIn(2) ? value : random.pick(headerValues)]);
      break;
    case 1:
      draft.headers.splice(random.below(draft.headers.length + 1), 1);
      break;
    case 2: {
      const count = random.pick([50, 99, 101, 400]);
      for (let n = 0; n < count; n++) draft.headers.push([`X-Many-${n}`, String(n)]);
      break;
    }
    case 3:
      draft.headers.push(['X-Long', 'x'.repeat(random.pick([8000, 15_000, 17_000, 40_000]))]);
      break;
    default:
      draft.headers = [...without(draft.headers, name), [name, value]];
  }
}

/** Returns a signature with one bit changed. */
function flipped(signature: string, random: Random): string {
  const bytes = Buffer.from(signature, 'base64');
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes.toString('base64');
}

/** Breaks the signature, or what it covers. A call that needs a signature must then be refused. */
export function forge(draft: Draft, random: Random): void {
  const right = signatureOf(draft);
  switch (random.below(9)) {
    case 0:
      draft.signature = '';
      break;
    case 1:
      draft.signature = right.slice(0, random.below(right.length));
      break;
    case 2:
      draft.signature = random.pick([
        `${right}=`,
        ` ${right}x`,
        `${right}, ${right}`,
        right.repeat(40),
        '====',
        '\u00ff',
      ]);
      break;
    case 3:
      // No other mutation makes this token, so the signature is wrong for whatever is sent.
      draft.signature = signatureOf({ ...draft, token: `${draft.token}forged` });
      break;
    case 4:
      draft.signature = signatureOf({ ...draft, path: `${draft.path}?` });
      break;
    case 5:
      draft.signature = signatureOf({ ...draft, body: Buffer.concat([draft.body, Buffer.from(' ')]) });
      break;
    case 6:
      draft.signature = signatureOf({ ...draft, clientVersion: random.pick(['3.7.3', '', '0', 'x'.repeat(100)]) });
      break;
    default:
      draft.signature = flipped(right, random);
  }
  // A version that was changed before may be the very one that is signed here.
  draft.isForged = draft.call.signed && draft.signature !== right;
}

/** Changes the access token or the client version, which are part of the key, and signs with the changed one. */
export function mutateToken(draft: Draft, random: Random): void {
  const cut = random.below(draft.token.length + 1);
  const { token } = draft;
  switch (random.below(7)) {
    case 0:
      draft.clientVersion = random.pick(['', '0', '99.99.99', '3.7', 'x'.repeat(2000), '\u00e9', '3.7.2, 3.7.2', '-1']);
      break;
    case 1:
      draft.token = '';
      break;
    case 2:
      draft.token = token.slice(0, cut);
      break;
    case 3:
      draft.token = token + random.pick(['x', '=', '.', '\u00ff', token]);
      break;
    case 4:
      draft.headers = [...draft.headers, [brandHeader('Svc', 'access'), random.pick([token, 'x', ''])]];
      break;
    case 5:
      draft.headers = [...draft.headers, ['Cookie', `lct=${random.pick([token, `${token}x`, '', '"'])}`]];
      draft.token = random.oneIn(2) ? '' : token;
      break;
    default:
      draft.token = `${token.slice(0, cut)}${random.pick(['A', '0', '-', '_'])}${token.slice(cut + 1)}`;
  }
}
