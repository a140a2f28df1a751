// The pages of docs/reference, all derived from the contract.
import { anchor, page, table } from './markdown.ts';
import { adminPage, registrationPage, workbenchPage } from './reference-admin.ts';
import { httpPage } from './reference-http.ts';
import { methodsPage } from './reference-methods.ts';
import { structsOf, structsPage } from './reference-structs.ts';
import { coveragePage, enumsPage, errorsPage, headersPage, limitsPage, operationsPage } from './reference-tables.ts';
import { methodGroups } from './source.ts';

export interface ReferenceInfo {
  readonly brand: string;
}

/** Returns the Markdown of every page by file name. */
export function referencePages({ brand }: ReferenceInfo): ReadonlyMap<string, string> {
  const structs = structsOf();
  const groups = methodGroups.map(({ title, methods }) => ({
    title,
    methods,
    file: `${anchor(title)}.md`,
    text: methodsPage(title, methods, structs),
  }));
  return new Map([
    ['README.md', indexPage(groups)],
    ...groups.map(({ file, text }): [string, string] => [file, text]),
    ['http.md', httpPage(brand, structs)],
    ['admin.md', adminPage(structs)],
    ['registration.md', registrationPage(structs)],
    ['workbench.md', workbenchPage(structs)],
    ['structs.md', structsPage(structs)],
    ['errors.md', errorsPage()],
    ['operations.md', operationsPage(structs)],
    ['enums.md', enumsPage(structs)],
    ['limits.md', limitsPage()],
    ['headers.md', headersPage(brand)],
    ['coverage.md', coveragePage()],
  ]);
}

interface Group {
  readonly title: string;
  readonly file: string;
  readonly methods: readonly { readonly shortName: string }[];
}

const indexPage = (groups: readonly Group[]): string =>
  page(
    '# Reference',
    'Generated from the contract (`packages/contract`) by `npm run docs`. Do not edit these pages. [Calls](../calls.md) shows one call with its answers, and tells the rules that all calls share.',
    table(
      ['Page', 'Methods'],
      groups.map(({ title, file, methods }) => [
        `[${title}](${file})`,
        methods.map(({ shortName }) => `[${shortName}](${file}#${anchor(shortName)})`).join(', '),
      ]),
    ),
    'Also: [endpoints that are not RPCs](http.md), [admin API](admin.md), [registration API](registration.md), [workbench API](workbench.md), [structs](structs.md), [errors](errors.md), [operations](operations.md), [enumerations](enums.md), [limits](limits.md), [headers](headers.md), [coverage](coverage.md).',
    'For machines: [openapi.json](../openapi.json) and [asyncapi.json](../asyncapi.json).',
  );
