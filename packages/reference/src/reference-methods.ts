// The reference page of a topic: every method with its arguments, result, errors and operations.
import { operationTypes, rateLimits } from '@sealpost/contract';
import { errorNumber } from './error-bodies.ts';
import { anchor, code, page, table } from './markdown.ts';
import { type Structs, structAnchor } from './reference-structs.ts';
import { type Linker, typeText } from './schema-text.ts';
import type { DocumentedMethod, Method } from './source.ts';

export function methodsPage(title: string, methods: readonly DocumentedMethod[], structs: Structs): string {
  return page(
    `# ${title}`,
    methods.map(({ shortName }) => `[${shortName}](#${anchor(shortName)})`).join(' · '),
    ...methods.map((method) => methodSection(method, structAnchor(structs))),
  );
}

function methodSection({ shortName, paths, entry }: DocumentedMethod, link: Linker): string {
  return page(
    `## ${shortName}`,
    entry.summary,
    paths.map((path) => `\`POST ${path}\``).join('  \n'),
    entry.args.length === 0 ? 'Arguments: none; the body is `[]`.' : argumentTable(entry, link),
    `Result: ${typeText(entry.result, link)}`,
    factsOf(entry).join('  \n'),
    errorText(entry),
    emissionTable(entry),
  ).trimEnd();
}

const argumentTable = ({ args }: Method, link: Linker): string =>
  table(
    ['', 'Argument', 'Type', ''],
    args.map(({ name, schema, optional }, index) => [
      String(index + 1),
      code(name),
      typeText(schema, link),
      optional ? 'may be left out' : '',
    ]),
  );

function factsOf({ auth, limit, countsEach, reqSeq, origin }: Method): string[] {
  const { burst, perSecond, per } = rateLimits[limit];
  return [
    auth === 'user' ? 'Needs a session.' : 'Called before login: no access token.',
    `Limit: \`${limit}\` (${burst} at once, then ${rate(perSecond)}, per ${per}).`,
    ...(countsEach ? [`Counts as one call for each item of \`${countsEach}\`.`] : []),
    ...(reqSeq
      ? [
          `Carries [\`reqSeq\`](../calls.md#reqseq) as ${reqSeq === 'first' ? 'the first argument' : 'a field of the request'}.`,
        ]
      : []),
    ...(origin === 'extension' ? ['An extension of this server, not part of the specification.'] : []),
    ...(origin === 'compatibility' ? ['Not listed in the specification; existing clients call it.'] : []),
  ];
}

const DAY = 86_400;
export const rate = (perSecond: number): string =>
  perSecond >= 0.01 ? `${Number(perSecond.toFixed(2))} a second` : `${Math.round(perSecond * DAY)} a day`;

export function errorText({ errors: own }: Pick<Method, 'errors'>): string {
  const general = 'the [general ones](errors.md#general-errors)';
  if (own.length === 0) return `Errors: ${general}.`;
  const names = own.map((name) => `[${name}](errors.md#${anchor(name)}) (${errorNumber(name)})`);
  return `Errors: ${names.join(', ')}, and ${general}.`;
}

export function emissionTable({ emits }: Pick<Method, 'emits'>): string | undefined {
  if (!emits || emits.length === 0) return undefined;
  const rows = emits.map(({ type, to, when }) => [
    `[${operationTypes[type]} ${type}](operations.md#${anchor(`${operationTypes[type]} ${type}`)})`,
    to,
    when ?? '',
  ]);
  return table(['Operation', 'To', 'When'], rows);
}
