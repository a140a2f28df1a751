// The notices of libraries that the build puts beside the pages. Small pages are built with libraries of the test.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pagesFolder } from '@sealpost/web';
import { build } from 'vite';
import { thirdPartyNotices } from '../third-party.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-third-party-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface PlantedLibrary {
  readonly license?: string;
  /** The text of its licence, in a file of its own. */
  readonly text?: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Makes pages of some files that use libraries, builds them, and returns the list and the notices. */
async function built(pages: Readonly<Record<string, string>>, libraries: Readonly<Record<string, PlantedLibrary>>) {
  const root = mkdtempSync(join(folder, 'pages-'));
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write('index.html', '<!doctype html><script type="module" src="/main.js"></script>');
  for (const [name, content] of Object.entries(pages)) write(name, content);
  for (const [name, { license, text, files }] of Object.entries(libraries)) {
    const place = `node_modules/${name}`;
    write(`${place}/package.json`, JSON.stringify({ name, version: '1.2.3', license, main: 'index.js' }));
    if (text !== undefined) write(`${place}/LICENSE`, text);
    for (const [file, content] of Object.entries(files)) write(`${place}/${file}`, content);
  }
  const notices = thirdPartyNotices();
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { modulePreload: { polyfill: false } },
    plugins: [notices.pages],
    worker: { format: 'es', plugins: () => [notices.worker] },
  });
  const read = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');
  return { list: JSON.parse(read('third-party.json')), notices: read('third-party-notices.txt') };
}

const shown = (text: string): Record<string, string> => ({
  'index.js': `export const text = ${JSON.stringify(text)};`,
});
const PAGE = { 'main.js': "import { text } from 'planted'; document.title = text;" };

test('a library planted in the pages without the text of its licence fails the build', async () => {
  await assert.rejects(built(PAGE, { planted: { license: 'MIT', files: shown('planted') } }), {
    message: /planted 1\.2\.3 has no text of its licence MIT, and each copy needs one/,
  });
  const text = 'Whoever planted this asks to be named.';
  const { list, notices } = await built(PAGE, { planted: { license: 'MIT', text, files: shown('planted') } });
  assert.deepEqual(list, [{ name: 'planted', version: '1.2.3', licence: 'MIT' }]);
  assert.equal(notices, `planted 1.2.3, MIT\n\n${text}\n`);
});

test('a licence that the pages may not have fails the build, and so does none', async () => {
  for (const license of ['GPL-3.0-only', 'MPL-2.0', 'LGPL-3.0-or-later', undefined]) {
    const planted = { ...(license !== undefined && { license }), text: 'the text', files: shown('planted') };
    await assert.rejects(built(PAGE, { planted }), {
      message: new RegExp(`planted 1\\.2\\.3 has the licence ${license}`),
    });
  }
});

test('what is in workers, styles and parts that are loaded later is named; what the build left out is not', async () => {
  const pages = {
    'main.js': `
      import 'styled/style.css';
      import { unused } from 'left-out';
      new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      import('later').then(({ text }) => { document.title = text; });`,
    'worker.js': "import { text } from 'in-worker'; postMessage(text);",
  };
  const free = (files: Record<string, string>): PlantedLibrary => ({ license: 'Unlicense', files });
  const { list } = await built(pages, {
    'in-worker': free(shown('worker')),
    later: free(shown('later')),
    'left-out': free({ 'index.js': 'export const unused = 1;' }),
    styled: free({ 'style.css': '.styled { color: red }' }),
  });
  // The loader of later parts comes with the tool of the build.
  assert.deepEqual(
    list.map(({ name }: { name: string }) => name),
    ['in-worker', 'later', 'styled', 'vite'],
  );
});

test('the built pages name what they contain, with the text of each licence', () => {
  const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, pagesFolder)), 'utf8');
  const list: { name: string; version: string; licence: string }[] = JSON.parse(read('third-party.json'));
  const names = new Set(list.map(({ name }) => name));
  // One of each place where libraries come from: screens, overlays, the engine, and files beside the pages.
  for (const name of ['react', '@base-ui/react', 'lucide-react', 'yet-another-react-lightbox', 'frimousse', 'qr'])
    assert.ok(names.has(name), name);
  for (const name of ['@noble/hashes', 'emojibase-data']) assert.ok(names.has(name), name);
  for (const name of ['@lingui/cli', 'playwright-core', '@types/react']) assert.ok(!names.has(name), name);
  const notices = read('third-party-notices.txt');
  for (const { name, version, licence } of list) assert.ok(notices.includes(`${name} ${version}, ${licence}\n`), name);
  assert.match(notices, /Copyright \(c\) Meta Platforms/);
});
