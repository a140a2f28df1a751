// Finds out why a signature is wrong (docs/signature.md): tries the likely mistakes, one at a time.
import { type BrandHeader, brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import type { SignatureFinding } from '@sealpost/contract/workbench';
import { cookiesOf, type Header, headerOf } from '../wire/headers.ts';
import { firstDifference } from './differences.ts';
import { type HmacForm, hmacForm } from './hmac-forms.ts';
import { type KnownValues, substitutes } from './other-ingredients.ts';
import { otherRecipes } from './other-recipes.ts';
import { type Ingredients, keyOf, pathBytes, sha256, signatureOf } from './scheme.ts';

/** A request as the server received it. */
export interface SignedCall {
  readonly verb: string;
  /** Path with query, as it stood in the request line. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** Further values that the explanation may use, besides the request. */
export interface SignatureKnowledge {
  /** The build tokens that the server accepts. */
  readonly buildTokens: readonly string[];
  /** The access token with which the server computes the signature. Default: the token in the headers. */
  readonly accessToken?: string;
  /** The brand in header names. Default: `Svc`. */
  readonly brand?: string;
  /** Access tokens of the client from before its login or its last renewal. */
  readonly earlierAccessTokens?: readonly string[];
  /** Build tokens of other builds, which the server does not accept. */
  readonly otherBuildTokens?: readonly string[];
  /** The addresses at which clients reach the server, for example its public URL. */
  readonly urls?: readonly string[];
}

interface Mistake {
  readonly cause: string;
  readonly difference?: string;
}

/** The values that the server would use, and the mistake that turns them into the given signature. */
interface Found {
  readonly parts: Ingredients;
  readonly mistake?: Mistake;
}

/** Returns the values from which a signature is computed. If the signature is wrong, also returns the likely cause. */
export function explainSignature(call: SignedCall, known: SignatureKnowledge): SignatureFinding {
  const brand = known.brand ?? 'Svc';
  const header = (name: BrandHeader): string | undefined => headerOf(call.headers, brandHeader(brand, name));
  const given = headerOf(call.headers, plainHeaders.hmac.name);
  const candidates = known.buildTokens.map((buildToken) => ingredientsOf(call, buildToken, header, known));
  const form = given === undefined ? undefined : hmacForm(given);
  const right = form && candidates.find((parts) => signatureOf(parts).equals(form.bytes));
  const found: Found | undefined = right
    ? { parts: right }
    : form && findMistake(call, candidates, form, knownValues(call, known));
  const parts = found?.parts ?? candidates[0] ?? ingredientsOf(call, '', header, known);
  const expected = signatureOf(parts).toString('base64');
  const state = given === undefined ? 'absent' : right && given === expected ? 'right' : 'wrong';
  const shown = {
    state,
    ingredients: ingredientTexts(call, parts, candidates.length, header),
    expected,
    ...(given !== undefined && { given }),
  } as const;
  return state === 'wrong' ? { ...shown, ...verdict(given ?? '', expected, form, found?.mistake) } : shown;
}

function ingredientsOf(
  { path, headers, body }: SignedCall,
  buildToken: string,
  header: (name: BrandHeader) => string | undefined,
  { accessToken }: SignatureKnowledge,
): Ingredients {
  const cookie = cookiesOf(headerOf(headers, 'Cookie')).find(([name]) => name === 'lct')?.[1];
  return {
    buildToken,
    version: header('clientVersion') ?? header('chromeVersion') ?? clientVersion,
    accessToken: accessToken ?? header('access') ?? cookie ?? '',
    path: pathBytes(path),
    body: Buffer.from(body),
  };
}

/** Returns the first mistake that yields the given signature, with the values that the server would use. */
function findMistake(
  { verb }: SignedCall,
  candidates: readonly Ingredients[],
  { bytes }: HmacForm,
  known: KnownValues,
): Found | undefined {
  for (const parts of candidates) {
    for (const { cause, change, difference } of substitutes(parts, known)) {
      if (signatureOf({ ...parts, ...change }).equals(bytes)) return { parts, mistake: { cause, difference } };
    }
    const recipe = otherRecipes.find(({ make }) => make(parts, verb).equals(bytes));
    if (recipe) return { parts, mistake: { cause: recipe.cause } };
  }
  return undefined;
}

/** Returns the cause of a wrong signature. Its form and its content may both be wrong. */
function verdict(
  given: string,
  expected: string,
  form: HmacForm | undefined,
  mistake: Mistake | undefined,
): Pick<SignatureFinding, 'cause' | 'difference'> {
  if (!form) {
    return {
      cause: `the signature is not base64 of 32 bytes: it has ${given.length} characters`,
      difference: firstDifference('signature', expected, given),
    };
  }
  // If the bytes are right, only the form is wrong. Otherwise, form and content may each have a cause.
  const matches = form.bytes.equals(Buffer.from(expected, 'base64'));
  if (form.cause !== undefined && matches) {
    return { cause: form.cause, difference: firstDifference('signature', expected, given) };
  }
  const causes = [form.cause, mistake?.cause].filter((cause) => cause !== undefined);
  return {
    ...(causes.length > 0 && { cause: causes.join('; and ') }),
    ...(mistake?.difference !== undefined && { difference: mistake.difference }),
  };
}

const hostOf = (url: string): string => url.replace(/^[a-z]+:\/\//i, '').replace(/[/?#].*$/s, '');
const prefixOf = (url: string): string =>
  url
    .replace(/^[a-z]+:\/\/[^/?#]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');

function knownValues({ headers }: SignedCall, known: SignatureKnowledge): KnownValues {
  const { urls = [], brand = 'Svc' } = known;
  const values = (...names: readonly string[]): string[] =>
    names.map((name) => headerOf(headers, name)).filter((value) => value !== undefined);
  const cookies = cookiesOf(headerOf(headers, 'Cookie')).map(([, value]) => value);
  return {
    hosts: unique([...values('X-Forwarded-Host', 'Host'), ...urls.map(hostOf)]),
    prefixes: unique([...values('X-Forwarded-Prefix'), ...urls.map(prefixOf)]),
    accessTokens: unique([...(known.earlierAccessTokens ?? []), ...values(brandHeader(brand, 'access')), ...cookies]),
    buildTokens: unique([...(known.otherBuildTokens ?? []), 'sealpost-dev']),
    versions: unique([
      ...values(brandHeader(brand, 'clientVersion'), brandHeader(brand, 'chromeVersion')),
      clientVersion,
    ]),
  };
}

const unique = (values: readonly string[]): string[] => [...new Set(values.filter((value) => value !== ''))];

/** Maximum number of bytes of a body, and number of characters of a secret, that are shown. */
const SHOWN_BODY = 200;
const SHOWN_SECRET = 4;

/** Returns the first characters of a secret and its length. A short secret is not shown at all. */
export const shortened = (secret: string): string =>
  `${secret.length >= 4 * SHOWN_SECRET ? secret.slice(0, SHOWN_SECRET) : ''}… (${secret.length} characters)`;

function ingredientTexts(
  { path }: SignedCall,
  parts: Ingredients,
  buildTokens: number,
  header: (name: BrandHeader) => string | undefined,
): SignatureFinding['ingredients'] {
  const { buildToken, version, accessToken, body } = parts;
  const sent = header('clientVersion') ?? header('chromeVersion');
  const hash = (text: string): string => `${sha256(text).toString('hex').slice(0, 16)}…`;
  const rest = body.length > SHOWN_BODY ? '…' : '';
  return [
    {
      name: 'build token',
      value: shortened(buildToken.toString()) + (buildTokens > 1 ? `, one of ${buildTokens}` : ''),
    },
    { name: 'version', value: sent === undefined ? `${version} (the default: no header has one)` : version },
    { name: 'SHA-256 of the version', value: hash(version) },
    { name: 'access token', value: accessToken === '' ? 'empty' : shortened(accessToken) },
    { name: 'SHA-256 of the access token', value: hash(accessToken) },
    { name: 'key', value: `${keyOf(parts).toString('hex').slice(0, 8)}…` },
    { name: 'path', value: path },
    { name: 'body', value: `${body.length} bytes: ${body.subarray(0, SHOWN_BODY).toString('utf8')}${rest}` },
  ];
}
