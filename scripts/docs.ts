// Writes all generated files: those under docs/ that are derived from the contract, the manual page, and the scripts of
// the /docs page. With --check, it writes nothing, names every file that is out of date, and fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { AccountExport, ExportedMessages } from '@sealpost/contract/schemas';
import { asyncApi, type DocumentInfo, openApi, referencePages } from '@sealpost/reference';
import { SessionFile } from '@sealpost/testing/record';
import { manPage } from 'sealpost/src/man-page.ts';
import { clientsPage } from './clients-page.ts';
import { jsonPage } from './json-page.ts';

const root = join(import.meta.dirname, '..');
const guidePath = join(root, 'docs/cli.md');
const manPath = join(root, 'packages/cli/man/sealpost.1');
const clientsPath = join(root, 'docs/clients.md');
const referenceDir = join(root, 'docs/reference');
const generatedDir = join(root, 'packages/reference/src/generated');

const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8')) as { version: string };
const info: DocumentInfo = { url: 'http://127.0.0.1:8787', brand: 'Svc', version };

const browserDir = 'packages/reference/src/browser';
/**
 * The sources of the scripts of the /docs page: the page's own modules, and the modules with which clients sign and log
 * in.
 */
const browserSources = [
  ...readdirSync(join(root, browserDir)).map((name) => `${browserDir}/${name}`),
  'packages/crypto/src/bytes.ts',
  'packages/crypto/src/signature.ts',
  'packages/crypto/src/web-crypto.ts',
  'packages/sdk/src/login/credential.ts',
];

/** The dialect of the schemas in the documents. */
const jsonSchema = 'https://json-schema.org/draft/2020-12/schema';

const json = (document: unknown): string => `${JSON.stringify(document, null, 1)}\n`;

/** Returns the text of every generated file by path. */
async function generate(): Promise<Map<string, string>> {
  const pages = referencePages({ brand: info.brand });
  return new Map([
    ...[...pages].map(([name, text]): [string, string] => [join(referenceDir, name), text]),
    [clientsPath, clientsPage(readFileSync(clientsPath, 'utf8'))],
    [join(referenceDir, 'command-json.md'), jsonPage(pages.get('structs.md') ?? '')],
    [manPath, manPage(version, readFileSync(guidePath, 'utf8'))],
    [join(root, 'docs/openapi.json'), json(openApi(info, true))],
    [join(root, 'docs/asyncapi.json'), json(asyncApi(info))],
    [join(root, 'docs/session.schema.json'), json({ $schema: jsonSchema, ...SessionFile })],
    [join(root, 'docs/account-export.schema.json'), json({ $schema: jsonSchema, ...AccountExport })],
    [join(root, 'docs/account-export-messages.schema.json'), json({ $schema: jsonSchema, ...ExportedMessages })],
    ...browserSources.map((source): [string, string] => [
      join(generatedDir, basename(source).replace('.ts', '.js')),
      browserModule(source),
    ]),
  ]);
}

/** Converts TypeScript for browsers: strips the types, and makes every import refer to a file in the same folder. */
function browserModule(file: string): string {
  const script = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
    .replaceAll("'@sealpost/crypto'", "'./signature.js'")
    .replaceAll("'@sealpost/sdk/credential'", "'./credential.js'")
    .replace(/from '[./\w-]*\/([\w-]+)\.ts'/g, "from './$1.js'")
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  return `// Generated from ${file} by \`npm run docs\`.\n${script}`;
}

/** Returns the files in the generated folders that are no longer generated. */
function leftovers(files: ReadonlyMap<string, string>): string[] {
  return [referenceDir, generatedDir]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => !files.has(path));
}

const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
const shown = (path: string): string => relative(root, path);

function check(files: ReadonlyMap<string, string>): void {
  const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path);
  const wrong = [...stale, ...leftovers(files)].map(shown);
  if (wrong.length === 0) {
    console.log(`${files.size} generated files are up to date`);
    return;
  }
  console.error(`out of date:\n${wrong.map((path) => `  ${path}`).join('\n')}\nrun: npm run docs`);
  process.exitCode = 1;
}

function write(files: ReadonlyMap<string, string>): void {
  for (const path of leftovers(files)) rmSync(path);
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`wrote ${files.size} files`);
}

// Node warns about programs that call `stripTypeScriptTypes`, although it strips types itself at every run. So warnings
// are switched off.
process.removeAllListeners('warning');
const files = await generate();
if (process.argv.includes('--check')) check(files);
else write(files);
