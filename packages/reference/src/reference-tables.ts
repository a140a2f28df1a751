// The reference pages that consist of tables: errors, operations, enums, limits, headers, coverage.
import {
  type AppendedType,
  always,
  type BrandHeader,
  brandHeader,
  brandHeaders,
  type ErrorName,
  errors,
  failureLimits,
  httpPaths,
  type LimitEntry,
  limits,
  operationParameters,
  operationTypes,
  type Parameter,
  parameterKinds,
  plainHeaders,
  rateLimits,
  settingsAttributes,
  talkCodes,
} from '@sealpost/contract';
import { Operation } from '@sealpost/contract/schemas';
import { emittedOperations } from './emitted-operations.ts';
import { errorBody, errorEntry, errorNumber } from './error-bodies.ts';
import { anchor, code, page, table } from './markdown.ts';
import { rate } from './reference-methods.ts';
import { enumsOf, type Structs, structAnchor } from './reference-structs.ts';
import { typeText } from './schema-text.ts';
import { controlEvents, documentedHttpEndpoints, documentedMethods, methodGroups } from './source.ts';

const errorNames = Object.keys(errors) as ErrorName[];
const CANNOT_SEAL =
  'For a client that does not seal: [sealing, and clients that do not seal](../clients.md#sealing-and-clients-that-do-not-seal).';

export function errorsPage(): string {
  return page(
    '# Errors',
    'An error is an HTTP status and a JSON body. Errors of a method come as an exception in `data` under the outer code 10051; errors of the gateway have their own outer code. "Retry" tells whether the same call may succeed later without a change.',
    'The bodies below are examples. `reason` and the `message` of 10003 and 10102 vary: they name the field and the value. Show them to people or log them, but do not parse them; decide by the code. [A call](../calls.md#an-error) shows a whole answer.',
    table(
      ['Error', 'Code', 'HTTP', 'Retry', 'Exception', 'Meaning'],
      errorNames.map((name) => {
        const { exception, http, retry, doc } = errorEntry(name);
        return [`[${name}](#${anchor(name)})`, errorNumber(name), String(http), retry ? 'yes' : 'no', exception, doc];
      }),
    ),
    '## General errors',
    'Every method may answer these, because they come from the steps before its handler.',
    errorLinks(always),
    `Before a method is found, a path answers ${errorLinks(['NOT_FOUND_PATH'])}, also for an unknown method. A verb other than POST gets ${errorLinks(['METHOD_NOT_ALLOWED'])}. Methods that are called before login answer no errors of sessions.`,
    '## Each error',
    ...errorNames.map(errorSection),
    '## All talk codes',
    'The codes of TalkException in the protocol. Those without an entry above are never sent by this server.',
    table(
      ['Code', 'Name'],
      Object.entries(talkCodes).map(([name, number]) => [String(number), name]),
    ),
  );
}

const errorLinks = (names: readonly ErrorName[]): string =>
  names.map((name) => `[${name}](#${anchor(name)})`).join(', ');

/** Links to pages that tell what to do about an error, by error. */
const remedies: { readonly [N in ErrorName]?: string } = {
  E2EE_RETRY_ENCRYPT: CANNOT_SEAL,
  E2EE_RECREATE_GROUP_KEY: CANNOT_SEAL,
};

function errorSection(name: ErrorName): string {
  const users = [...documentedMethods, ...documentedHttpEndpoints].filter(({ entry }) => entry.errors.includes(name));
  const general = (always as readonly ErrorName[]).includes(name);
  return page(
    `### ${name}`,
    errorEntry(name).doc,
    `\`HTTP ${errorEntry(name).http}\` \`${JSON.stringify(errorBody(name))}\``,
    remedies[name],
    users.length > 0 && !general ? `Answered by ${users.map((method) => code(method.name)).join(', ')}.` : undefined,
  ).trimEnd();
}

export function operationsPage(structs: Structs): string {
  const link = structAnchor(structs);
  const sections = emittedOperations().map(({ type, causes }) =>
    page(
      `### ${operationTypes[type]} ${type}`,
      parametersOf(type),
      table(
        ['Caused by', 'To', 'When'],
        causes.map(({ method, to, when }) => [code(method), to, when ?? '']),
      ),
    ).trimEnd(),
  );
  const emitted = new Set<string>(emittedOperations().map(({ type }) => type));
  return page(
    '# Operations',
    `The stream \`GET ${httpPaths.operationReceive}\` carries one ${typeText(Operation, link)} per unnamed event, with \`id: <revision>\`. "To" names the accounts whose log gets the operation; \`self\` is the account that called, or that a call of the [admin API](admin.md) is about, on every one of its sessions.`,
    '## Control events',
    table(
      ['Event', 'Data', 'Meaning'],
      controlEvents.map(([name, { summary, data, closes }]) => [
        code(name),
        typeText(data, link),
        closes ? `${summary} The server closes the stream after it.` : summary,
      ]),
    ),
    '## Operations that are sent',
    ...sections,
    '## All numbers',
    table(
      ['Type', 'Name', ''],
      Object.entries(operationTypes).map(([name, number]) => [String(number), name, emitted.has(name) ? 'sent' : '']),
    ),
  );
}

/** Returns a table of the parameters of an operation. The column Name has the names that the SDK uses. */
function parametersOf(type: AppendedType): string | undefined {
  const declared: readonly Parameter[] = operationParameters[type];
  if (declared.length === 0) return undefined;
  return table(
    ['Parameter', 'Name', 'Kind'],
    declared.map(({ name, kind, optional, doc }, index) => [
      code(`param${index + 1}`),
      code(name),
      `${parameterKinds[kind]}${doc ? `: ${doc}` : ''}${optional ? ', or absent' : ''}`,
    ]),
  );
}

export function enumsPage(structs: Structs): string {
  const all = [...enumsOf(structs), ['SettingsAttribute', settingsAttributes] as const];
  return page(
    '# Enumerations',
    'Enumerations are sent as numbers.',
    ...all.map(([title, values]) =>
      page(
        `## ${title}`,
        table(
          ['Value', 'Name'],
          Object.entries(values).map(([name, value]) => [String(value), name]),
        ),
      ).trimEnd(),
    ),
  );
}

export function limitsPage(): string {
  return page(
    '# Limits',
    'Rates are defaults, which the setting `rate-<class>` of the server changes. Each server counts by itself, so three servers allow three times as much. Sizes and times that name a setting are defaults too; the others are fixed. `getConfigurations` tells clients what a server enforces, and which page sizes to ask for; a page may be larger. A call with a list of users or phone numbers counts once for each of them. Above a rate limit a call answers EXCESSIVE_ACCESS (talk code 4) with `Retry-After`.',
    '## Rates',
    table(
      ['Class', 'At once', 'Then', 'Per', 'For'],
      Object.entries(rateLimits).map(([name, { burst, perSecond, per, doc }]) => [
        code(name),
        String(burst),
        rate(perSecond),
        per,
        doc,
      ]),
    ),
    '## Failures',
    'Counted in the database, for all servers on it. Attempts that succeed do not count. Settings of the server change them, such as `failures-login-per-account`. A device that shows a certificate of the account is counted separately.',
    table(
      ['Limit', 'Free', 'Within', 'Then one after', 'At most', 'Counts'],
      Object.entries(failureLimits).map(([name, { free, windowSec, delaySec, longestDelaySec, doc }]) => [
        code(name),
        String(free),
        `${windowSec} s`,
        `${delaySec} s, doubling`,
        `${longestDelaySec} s`,
        doc,
      ]),
    ),
    '## Sizes and times',
    table(
      ['Name', 'Value', 'Meaning', 'Setting'],
      Object.entries<LimitEntry>(limits).map(([name, { value, doc, setting }]) => [
        code(name),
        String(value),
        doc,
        setting ? code(setting) : '',
      ]),
    ),
  );
}

export function headersPage(brand: string): string {
  const branded = Object.entries(brandHeaders).map(([key, { doc }]) => [
    code(brandHeader(brand, key as BrandHeader)),
    doc,
  ]);
  const others = Object.values(plainHeaders).map(({ name, doc }) => [code(name), doc]);
  return page(
    '# Headers',
    `Names are compared without regard to case. \`${brand}\` stands for the configured brand of the server.`,
    table(['Header', 'Meaning'], [...branded, ...others]),
    'The cookie `lct` carries the access token where a browser can set no header: on the operation stream and on object downloads. If both are present, the header is used.',
  );
}

const origins = {
  specification: 'Endpoints of the specification',
  compatibility: 'Called by existing clients, not in the specification',
  extension: 'Extensions of this server',
} as const;

/**
 * Returns the page that lists all endpoints by origin. The server implements all of them, because it does not start if
 * a handler is missing.
 */
export function coveragePage(): string {
  const endpoints = [
    ...methodGroups.flatMap(({ title, methods }) =>
      methods.map(({ name, shortName, entry: { origin = 'specification' } }) => ({
        name,
        origin,
        link: `${anchor(title)}.md#${anchor(shortName)}`,
      })),
    ),
    ...documentedHttpEndpoints.map(({ name, entry: { origin = 'specification' } }) => ({
      name,
      origin,
      link: `http.md#${anchor(name)}`,
    })),
  ];
  const section = (origin: keyof typeof origins): string => {
    const own = endpoints.filter((endpoint) => endpoint.origin === origin);
    return page(
      `## ${origins[origin]}`,
      `${own.length} of ${own.length} are served.`,
      table(
        ['Endpoint', 'State'],
        own.map(({ name, link }) => [`[${code(name)}](${link})`, 'served']),
      ),
    ).trimEnd();
  };
  return page(
    '# Coverage',
    'A server serves every endpoint of the contract: it does not start if one has no handler.',
    section('specification'),
    section('compatibility'),
    section('extension'),
  );
}
