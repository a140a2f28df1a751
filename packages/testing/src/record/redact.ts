// Learns the secrets of recorded exchanges from known places, and removes them wherever they occur.
import { endpointAt } from '../wire/endpoints.ts';
import { cookiesOf, type Header } from '../wire/headers.ts';
import { isStruct, parsedJson } from '../wire/loose-json.ts';
import { hasNamelessSecret, RECORD_SEPARATOR, secretField, secretHeader, secretResult } from './secret-places.ts';
import type { RecordedAnswer, RecordedBody, RecordedExchange } from './session-file.ts';
import type { Vault } from './vault.ts';

/** Returns exchanges without secrets. A secret of one exchange is removed from all of them. */
export function redactAll(vault: Vault, exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  for (const exchange of exchanges) learnSecrets(vault, exchange);
  // A cookie may hold an access token. It then gets the placeholder of the access token.
  for (const { headers, answer } of exchanges) learnCookies(vault, [...headers, ...(answer?.headers ?? [])]);
  return exchanges.map((exchange) => redacted(vault, exchange));
}

function learnSecrets(vault: Vault, exchange: RecordedExchange): void {
  const { path, headers, body, endpoint, answer } = exchange;
  learnHeaders(vault, headers);
  vault.learnLoosely(path);
  learnBody(vault, body, (value) => learnArguments(vault, path, value));
  if (!answer) return;
  learnHeaders(vault, answer.headers);
  if (answer.body) learnBody(vault, answer.body, (value) => learnResult(vault, endpoint, value));
  for (const { text } of answer.events ?? []) {
    for (const line of linesOf(text)) learnText(vault, line.content, (value) => learnFields(vault, value));
  }
}

const redacted = (vault: Vault, exchange: RecordedExchange): RecordedExchange => {
  const { path, headers, body, answer, endpoint } = exchange;
  const found = endpointAt(path);
  const positional = found?.kind === 'method' && hasNamelessSecret(found.entry.args);
  return {
    ...exchange,
    path: vault.cleanText(path),
    headers: headers.map((header) => cleanHeader(vault, header)),
    body: positional ? cleanWhole(vault, body) : cleanBody(vault, body),
    ...(answer && { answer: cleanAnswer(vault, answer, secretResult(endpoint) !== undefined) }),
  };
};

/** Returns a body without secrets. The secrets are found only in complete JSON, so any other body is left out. */
const cleanWhole = (vault: Vault, body: RecordedBody): RecordedBody =>
  body.bytes === 0 || (body.form === 'text' && parsedJson(body.content) !== undefined)
    ? cleanBody(vault, body)
    : { form: 'omitted', content: '', bytes: body.bytes };

/**
 * Minimum length of a cookie that counts as a secret. A shorter cookie is a flag, and other texts may equal it by
 * chance.
 */
const SHORTEST_COOKIE = 4;

function learnHeaders(vault: Vault, headers: readonly Header[]): void {
  for (const [name = '', value = ''] of headers) {
    if (isCookie(name)) continue;
    if (/authorization$/i.test(name)) vault.learn('token', value.replace(/^\S+\s+/, ''));
    else {
      const role = secretHeader(name);
      if (role) vault.learn(role, value);
      else vault.learnLoosely(value);
    }
  }
}

function learnCookies(vault: Vault, headers: readonly Header[]): void {
  for (const [name = '', value = ''] of headers) {
    if (!isCookie(name)) continue;
    for (const [, content] of cookiesOf(cookiePart(name, value))) {
      if (content.length >= SHORTEST_COOKIE) vault.learn('cookie', content);
    }
  }
}

const isCookie = (name: string): boolean => /^(set-)?cookie$/i.test(name);

/** Returns the part of a header that has cookies. A Set-Cookie has one cookie, followed by its attributes. */
const cookiePart = (name: string, value: string): string => (/^set-/i.test(name) ? (value.split(';')[0] ?? '') : value);

function learnBody(vault: Vault, { form, content }: RecordedBody, learn: (value: unknown) => void): void {
  if (form === 'text') learnText(vault, content, learn);
  if (form === 'base64') vault.learnLoosely(Buffer.from(content, 'base64').toString('latin1'));
}

function learnText(vault: Vault, text: string, learn: (value: unknown) => void): void {
  const value = parsedJson(text);
  if (value === undefined) vault.learnLoosely(text);
  else learn(value);
}

/**
 * Learns the secrets in the body of a request. The names of a method's arguments are in the contract, not in the body.
 */
function learnArguments(vault: Vault, path: string, value: unknown): void {
  const found = endpointAt(path);
  if (found?.kind === 'method' && Array.isArray(value)) {
    for (const [at, { name }] of found.entry.args.entries()) learnField(vault, name, value[at]);
  }
  learnFields(vault, value);
}

function learnResult(vault: Vault, endpoint: string | undefined, value: unknown): void {
  const role = secretResult(endpoint);
  const result = isStruct(value) ? value.data : undefined;
  if (role && typeof result === 'string') vault.learn(role, result.split(RECORD_SEPARATOR).at(-1) ?? '');
  learnFields(vault, value);
}

/** Learns the secrets in all fields of a value, at any depth. Also looks into fields whose text is JSON. */
function learnFields(vault: Vault, value: unknown): void {
  if (typeof value === 'string')
    learnText(vault, value, (inner) => typeof inner === 'object' && learnFields(vault, inner));
  else if (Array.isArray(value)) for (const item of value) learnFields(vault, item);
  else if (isStruct(value)) for (const [name, item] of Object.entries(value)) learnField(vault, name, item);
}

function learnField(vault: Vault, name: string, value: unknown): void {
  const role = secretField(name);
  const values = Array.isArray(value) ? value : [value];
  for (const one of values) {
    if (role && (typeof one === 'string' || typeof one === 'number')) vault.learn(role, String(one));
    else learnFields(vault, one);
  }
}

function cleanHeader(vault: Vault, [name = '', value = '']: Header): [name: string, value: string] {
  if (isCookie(name)) {
    return [
      name,
      value.replace(/([^=;\s]+)=([^;]*)/g, (_, key: string, content: string) => `${key}=${vault.cleanValue(content)}`),
    ];
  }
  if (/authorization$/i.test(name)) {
    const [, scheme = '', rest = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? [];
    return [name, scheme + vault.cleanValue(rest)];
  }
  return [name, vault.cleanValue(value)];
}

function cleanBody(vault: Vault, body: RecordedBody): RecordedBody {
  const { form, content } = body;
  if (form === 'text') return { ...body, content: cleanContent(vault, content) };
  if (form === 'omitted') return body;
  const clean = vault.cleanText(Buffer.from(content, 'base64').toString('latin1'));
  return { ...body, content: Buffer.from(clean, 'latin1').toString('base64') };
}

function cleanAnswer(vault: Vault, answer: RecordedAnswer, isSecret: boolean): RecordedAnswer {
  return {
    ...answer,
    headers: answer.headers.map((header) => cleanHeader(vault, header)),
    ...(answer.body && { body: isSecret ? cleanWhole(vault, answer.body) : cleanBody(vault, answer.body) }),
    ...(answer.events && {
      events: answer.events.map(({ ms, text }) => ({
        ms,
        text: linesOf(text)
          .map(({ field, content }) => field + cleanContent(vault, content))
          .join('\n'),
      })),
    }),
  };
}

/** Returns the lines of an event: the name of the field with its colon, and the content behind it. */
const linesOf = (event: string): readonly { readonly field: string; readonly content: string }[] =>
  event.split('\n').map((line) => {
    const [, field = '', content = ''] = /^((?:\w*: ?)?)(.*)$/s.exec(line) ?? [];
    return { field, content };
  });

const cleanContent = (vault: Vault, content: string): string =>
  /^\s*["[{]/.test(content) ? vault.cleanJson(content) : vault.cleanValue(content);
