// Packs a small project whose web client has a build script, and reads the pages from the packages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { packAll } from '../packaging/pack.ts';

const root = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'sealpost-packed-pages-'));
after(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, content: string | object): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const common = { version: '1.0.0', description: 'A part of a test.', license: 'Apache-2.0', type: 'module' };
const modules = ['pages', 'admin-pages', 'inspector-pages'].map((name) => `packages/web/src/${name}.ts`);
for (const name of ['LICENSE', 'tsconfig.json', ...modules]) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  cpSync(join(root, name), join(project, name));
}
write('package.json', { private: true, type: 'module' });
write('packages/web/package.json', {
  ...{
    name: '@sealpost/web',
    ...common,
    exports: {
      ...{ '.': './src/pages.ts', './admin': './src/admin-pages.ts' },
      './inspector': './src/inspector-pages.ts',
    },
  },
  scripts: { build: 'a build of its own' },
});
write('packages/web/src/page.tsx', 'a source of the pages, which no package needs');
write('packages/other/package.json', { name: '@sealpost/other', ...common, exports: { '.': './src/index.ts' } });
write('packages/other/src/index.ts', 'export const other = 1;\n');
write('packages/cli/package.json', {
  ...{ name: 'sealpost', ...common, bin: { sealpost: './bin/sealpost.js' } },
  dependencies: { '@sealpost/web': '1.0.0' },
});
write('packages/cli/bin/sealpost.js', "#!/usr/bin/env node\nimport '../src/main.ts';\n");
write('packages/cli/man/sealpost.1', '.TH SEALPOST 1\n');
write(
  'packages/cli/src/main.ts',
  `import { readFileSync } from 'node:fs';
import { pagesFolder } from '@sealpost/web';
import { adminPagesFolder } from '@sealpost/web/admin';
import { inspectorFolder } from '@sealpost/web/inspector';
for (const folder of [pagesFolder, adminPagesFolder, inspectorFolder]) console.log(readFileSync(new URL('index.html', folder), 'utf8'));
`,
);
mkdirSync(join(project, 'node_modules/@sealpost'), { recursive: true });
symlinkSync('../../packages/web', join(project, 'node_modules/@sealpost/web'));
symlinkSync(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));

test('nothing is packed while the pages or their notices are missing, and the error says how to build them', async () => {
  const names = ['index.html', 'third-party-notices.txt', 'third-party.json'];
  for (const name of ['dist', 'dist-admin', 'dist-inspect'].flatMap((folder) =>
    names.map((file) => `${folder}/${file}`),
  )) {
    await assert.rejects(packAll(project, join(project, 'release')), {
      message: `${join(project, 'packages/web', name)} is missing. Build the pages first: npm run build -w packages/web`,
    });
    write(`packages/web/${name}`, `the ${basename(name)}`);
  }
});

test('built pages are in their own package and in the command, and their sources in neither', async () => {
  write('packages/web/dist/index.html', 'the page');
  write('packages/web/dist-admin/index.html', 'the administration');
  write('packages/web/dist-inspect/index.html', 'the inspector');
  write('packages/web/dist/assets/app-1a2b3c.js', 'the script');
  write('packages/web/dist/assets/app-1a2b3c.js.br', 'the small script');
  const tarballs = await packAll(project, join(project, 'release'));
  const unpacked = (name: string): string => {
    const target = join(project, 'installed', name);
    mkdirSync(target, { recursive: true });
    const { file } = tarballs.find((one) => one.name === name) ?? assert.fail(`no ${name}`);
    execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1']);
    return target;
  };
  const web = unpacked('@sealpost/web');
  const { pagesFolder } = (await import(join(web, 'dist/pages.js'))) as { readonly pagesFolder: URL };
  const command = unpacked('sealpost');
  assert.equal(
    execFileSync(process.execPath, [join(command, 'bin/sealpost.js')], { encoding: 'utf8' }),
    'the page\nthe administration\nthe inspector\n',
  );
  const { inspectorFolder } = (await import(join(web, 'dist/inspector-pages.js'))) as { readonly inspectorFolder: URL };
  assert.equal(readFileSync(new URL('index.html', inspectorFolder), 'utf8'), 'the inspector');
  for (const folder of [pagesFolder, new URL(`file://${command}/dist/files/web/pages/`)]) {
    const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
    assert.equal(read('index.html'), 'the page');
    assert.equal(read('third-party-notices.txt'), 'the third-party-notices.txt');
    assert.equal(read('assets/app-1a2b3c.js'), 'the script');
    assert.equal(read('assets/app-1a2b3c.js.br'), 'the small script');
    assert.throws(() => read('page.tsx'), { code: 'ENOENT' });
    assert.throws(() => read('pages.js'), { code: 'ENOENT' });
  }
  const notices = readFileSync(join(command, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  assert.match(notices, /pages of the web client are in dist\/files\/web\/pages\/third-party-notices\.txt/);
  const { scripts } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  assert.equal(scripts, undefined);
});
