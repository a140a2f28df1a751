// The reference pages of the APIs with JSON bodies: the admin API, the registration API and the workbench API.
import { adminProblems } from '@sealpost/contract/admin';
import { plain } from './json-schema.ts';
import { anchor, code, page, table } from './markdown.ts';
import { emissionTable } from './reference-methods.ts';
import { type Structs, structAnchor } from './reference-structs.ts';
import { fieldsOf, type Linker, typeText } from './schema-text.ts';
import {
  type AdminEndpoint,
  type DocumentedAdminEndpoint,
  documentedAdminEndpoints,
  documentedRegistrationEndpoints,
  documentedWorkbenchEndpoints,
} from './source.ts';

export const adminPage = (structs: Structs): string =>
  jsonPage(
    'admin',
    structs,
    documentedAdminEndpoints,
    '# Admin API',
    'For the operator of a server. Every call whose scope is not `none` carries the admin token: `Authorization: Bearer <token>`. Bodies and results are JSON; a refusal is a [Problem](structs.md#problem), of type `application/problem+json`. A list comes in pages: the `cursor` of a page asks for the next page. From TypeScript: [the SDK](../sdk.md#as-operator).',
  );

/** The reference page of the registration API, with which people open accounts. */
export const registrationPage = (structs: Structs): string =>
  jsonPage(
    'registration',
    structs,
    documentedRegistrationEndpoints,
    '# Registration API',
    'For people without an account: [docs/invitations.md](../invitations.md). No call needs a token or a signature. Bodies and results are JSON; a refusal is a [Problem](structs.md#problem), of type `application/problem+json`. Pages of other origins may call if the setting `allowed-origins` names them. From TypeScript: `client.registration` of the SDK.',
  );

/** The reference page of the workbench API, which only a server for developers has. */
export const workbenchPage = (structs: Structs): string =>
  jsonPage(
    'workbench',
    structs,
    documentedWorkbenchEndpoints,
    '# Workbench API',
    'For tests of clients, in any language: [docs/testing.md](../testing.md). Only `sealpost dev` and the test kit serve it. No call needs a token, because only programs on the same machine get an answer. Bodies and results are JSON; a refusal is a [Problem](structs.md#problem), of type `application/problem+json`. From TypeScript: `createWorkbenchClient` of `@sealpost/testing/client`.',
  );

type Api = 'admin' | 'registration' | 'workbench';

function jsonPage(
  api: Api,
  structs: Structs,
  endpoints: readonly DocumentedAdminEndpoint[],
  title: string,
  introduction: string,
): string {
  const link = structAnchor(structs);
  return page(
    title,
    introduction,
    endpoints.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · '),
    ...endpoints.map((endpoint) => section(api, endpoint, link)),
  );
}

const scopeText = ({ scope }: AdminEndpoint): string => (scope === 'none' ? 'none, anybody may call it' : code(scope));

const section = (api: Api, { name, path, entry }: DocumentedAdminEndpoint, link: Linker): string =>
  page(
    `## ${name}`,
    entry.summary,
    code(`${entry.verb} ${path}`),
    api === 'admin' ? `Scope: ${scopeText(entry)}.` : undefined,
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

function resultText({ result, resultBytes, status = 200 }: AdminEndpoint, link: Linker): string {
  if (resultBytes) return `Result (${status}, \`${resultBytes.contentType}\`): ${resultBytes.doc}.`;
  return result ? `Result (${status}): ${typeText(result, link)}.` : 'Result (204): none.';
}
