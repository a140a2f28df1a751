// The reference page of the admin API.
import { adminProblems } from '@sealpost/contract/admin';
import { plain } from './json-schema.ts';
import { anchor, code, page, table } from './markdown.ts';
import { emissionTable } from './reference-methods.ts';
import { type Structs, structAnchor } from './reference-structs.ts';
import { fieldsOf, type Linker, typeText } from './schema-text.ts';
import { type AdminEndpoint, type DocumentedAdminEndpoint, documentedAdminEndpoints } from './source.ts';

export function adminPage(structs: Structs): string {
  const link = structAnchor(structs);
  return page(
    '# Admin API',
    'For the operator of a server. Every call except `proof` carries the admin token: `Authorization: Bearer <token>`. Bodies and results are JSON; a refusal is a [Problem](structs.md#problem), of type `application/problem+json`. A list comes in pages: the `cursor` of a page asks for the next page. From TypeScript: [the SDK](../sdk.md#as-operator).',
    documentedAdminEndpoints.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · '),
    ...documentedAdminEndpoints.map((endpoint) => section(endpoint, link)),
  );
}

const section = ({ name, path, entry }: DocumentedAdminEndpoint, link: Linker): string =>
  page(
    `## ${name}`,
    entry.summary,
    code(`${entry.verb} ${path}`),
    queryTable(entry, link),
    bodyText(entry, link),
    resultText(entry, link),
    table(
      ['Status', 'Refused because'],
      Object.entries(adminProblems(entry)).map(([status, text]) => [status, text]),
    ),
    emissionTable(entry),
  ).trimEnd();

function queryTable({ query }: AdminEndpoint, link: Linker): string | undefined {
  if (!query) return undefined;
  const rows = fieldsOf(plain(query)).map(({ name, type, optional }) => [
    code(name),
    typeText(type, link),
    optional ? 'may be left out' : '',
  ]);
  return table(['Query', 'Type', ''], rows);
}

function bodyText({ body }: AdminEndpoint, link: Linker): string | undefined {
  if (!body) return undefined;
  if (!('schema' in body)) return `Body (\`${body.contentType}\`): ${body.doc}, at most ${body.limitBytes} bytes.`;
  return `Body: ${typeText(body.schema, link)}${body.optional ? ', which may be left out' : ''}.`;
}

function resultText({ result, status = 200 }: AdminEndpoint, link: Linker): string {
  return result ? `Result (${status}): ${typeText(result, link)}.` : 'Result (204): none.';
}
