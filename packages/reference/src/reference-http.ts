// The reference page of the endpoints that are not RPCs: token renewal, stream, polls, notices, object storage.
import { type BrandHeader, brandHeader, brandHeaders, type PlainHeader, plainHeaders } from '@sealpost/contract';
import { isObject, plain } from './json-schema.ts';
import { anchor, code, page, table } from './markdown.ts';
import { emissionTable, errorText } from './reference-methods.ts';
import { type Structs, structAnchor } from './reference-structs.ts';
import { fieldsOf, type Linker, typeText } from './schema-text.ts';
import {
  type DocumentedHttpEndpoint,
  documentedHttpEndpoints,
  type HttpEndpoint,
  type Schema,
  verbsAt,
} from './source.ts';

export function httpPage(brand: string, structs: Structs): string {
  const link = structAnchor(structs);
  return page(
    '# Endpoints that are not RPCs',
    documentedHttpEndpoints.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · '),
    ...documentedHttpEndpoints.map((endpoint) => section(endpoint, brand, link)),
  );
}

function section({ name, paths, entry }: DocumentedHttpEndpoint, brand: string, link: Linker): string {
  return page(
    `## ${name}`,
    entry.summary,
    addresses(paths, entry).join('  \n'),
    entry.query ? queryTable(entry.query, link) : undefined,
    bodyText(entry, link),
    resultText(entry, link),
    facts(entry, brand, link).join('  \n'),
    errorText(entry),
    emissionTable(entry),
  ).trimEnd();
}

const addresses = (paths: readonly string[], entry: HttpEndpoint): string[] =>
  paths.map((path) => {
    const verbs = verbsAt(entry, path).map(([verb]) => verb);
    return `\`${verbs.join(', ')} ${path}\``;
  });

const queryTable = (query: Schema, link: Linker): string =>
  table(
    ['Query', 'Type', ''],
    fieldsOf(plain(query)).map(({ name, type, optional }) => [
      code(name),
      typeText(type, link),
      optional ? 'may be left out' : '',
    ]),
  );

function bodyText({ body }: HttpEndpoint, link: Linker): string | undefined {
  if (!body) return undefined;
  return `Body (\`${body.contentType}\`): ${body.schema ? typeText(body.schema, link) : body.doc}`;
}

const forms: Record<HttpEndpoint['response']['form'], string> = {
  envelope: 'in `data` of the envelope',
  hybrid: 'in `data` of the envelope, and its fields repeated at the top',
  json: 'the bare value',
  events: 'a server-sent event stream',
  bytes: 'bytes',
};

function resultText({ response: { form, schema, doc } }: HttpEndpoint, link: Linker): string {
  const type = schema && isObject(plain(schema)) ? `${typeText(schema, link)}, ` : '';
  return `Result: ${type}${forms[form]}. ${doc}`;
}

const AUTH: Record<HttpEndpoint['auth'], string> = {
  user: 'Needs a session.',
  object: 'Needs an object token, or a session.',
  none: 'Needs no session.',
};

function facts(entry: HttpEndpoint, brand: string, link: Linker): string[] {
  const headers = [...(entry.headers ?? []).map((header) => headerName(header, brand)), ...(entry.httpHeaders ?? [])];
  const limits = Object.entries(entry.verbs).map(([verb, limit]) => `${verb} \`${limit}\``);
  return [
    `${AUTH[entry.auth]}${entry.cookie ? ` ${cookieText(entry)}` : ''}`,
    `Signed: ${signed(entry.signed)}.`,
    `Limit: ${limits.join(', ')}.`,
    ...(headers.length > 0 ? [`Headers: ${headers.map(code).join(', ')}.`] : []),
    ...(entry.headers?.includes('obsParams')
      ? [`${code(plainHeaders.obsParams.name)} is base64 of JSON: ${link('ObjectParameters')}.`]
      : []),
    ...(entry.base === 'objects' ? ['Under the object-storage address.'] : []),
  ];
}

/** Browsers also send cookies with requests that other sites cause, so a cookie does not authorize a change. */
function cookieText({ verbs }: HttpEndpoint): string {
  const reading = Object.keys(verbs).filter((verb) => verb !== 'POST');
  return `The token may come in the cookie \`lct\`${verbs.POST ? `, for ${reading.join(' and ')} only` : ''}.`;
}

const signed = (value: HttpEndpoint['signed']): string =>
  value === 'lenient' ? 'yes; may be unsigned if the server is lenient' : value ? 'yes' : 'no';

const headerName = (header: BrandHeader | PlainHeader, brand: string): string =>
  header in brandHeaders ? brandHeader(brand, header as BrandHeader) : plainHeaders[header as PlainHeader].name;
