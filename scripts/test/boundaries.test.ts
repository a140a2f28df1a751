// Tests the rules of `.dependency-cruiser.json`. For each rule, a small project that breaks the rule is written, and
// the violation must be reported.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/**
 * Violations of the rules: the name of the rule, a file, and the path that the file imports although the rule forbids
 * it.
 */
const broken: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['contract-stands-alone', 'packages/contract/src/a.ts', 'packages/sdk/src/index.ts'],
  ['platform-knows-no-slice', 'packages/server/src/platform/rpc/a.ts', 'packages/server/src/slices/chats/index.ts'],
  ['platform-knows-no-slice', 'packages/server/src/platform/rpc/b.ts', 'packages/server/src/start/banner.ts'],
  ['slices-know-no-start', 'packages/server/src/slices/chats/a.ts', 'packages/server/src/start/banner.ts'],
  [
    'slices-meet-at-their-index',
    'packages/server/src/slices/chats/b.ts',
    'packages/server/src/slices/media/queries.ts',
  ],
  ['maintenance-is-for-commands', 'packages/server/src/start/c.ts', 'packages/server/src/maintenance/index.ts'],
  ['adapters-only-where-wired', 'packages/server/src/start/a.ts', 'packages/server/src/platform/store/sqlite.ts'],
  ['clients-know-no-server', 'packages/sdk/src/a.ts', 'packages/server/src/index.ts'],
  ['clients-know-no-server', 'packages/reference/src/a.ts', 'packages/server/src/index.ts'],
  ['packages-meet-by-name', 'packages/cli/test/a.ts', 'packages/sdk/src/index.ts'],
  ['dev-env-is-for-tests', 'packages/server/src/start/b.ts', 'packages/dev-env/src/harness.ts'],
  ['dev-env-is-for-tests', 'packages/cli/src/commands/server.ts', 'packages/server/src/internal.ts'],
  ['dev-env-is-for-tests', 'packages/cli/src/commands/maintenance.ts', 'packages/server/src/maintenance/internal.ts'],
  ['web-parts-know-no-messenger', 'packages/web/src/design/a.ts', 'packages/web/src/chat/routes.ts'],
  ['web-inspector-knows-no-messenger', 'packages/web/src/inspect/lab/a.ts', 'packages/web/src/chat/routes.ts'],
  ['web-inspector-knows-no-messenger', 'packages/web/src/inspect/lab/b.ts', 'packages/testing/src/server/news.ts'],
  ['web-messenger-knows-no-inspector', 'packages/web/src/chat/rows/b.ts', 'packages/web/src/inspect/app.tsx'],
  ['web-administration-knows-no-messenger', 'packages/web/src/admin/home/a.ts', 'packages/web/src/chat/routes.ts'],
  ['web-administration-knows-no-messenger', 'packages/web/src/admin/client/a.ts', 'packages/sdk/src/index.ts'],
  ['web-messenger-knows-no-administration', 'packages/web/src/chat/rows/c.ts', 'packages/web/src/admin/app.tsx'],
  ['web-only-the-engine-uses-the-sdk', 'packages/web/src/chat/rows/a.ts', 'packages/sdk/src/index.ts'],
  [
    'web-screens-meet-in-the-table-of-routes',
    'packages/web/src/chat/screens/chats/a.ts',
    'packages/web/src/chat/screens/login/b.ts',
  ],
];
/** Rules that forbid importing values, but allow importing types. */
const forValues = ['adapters-only-where-wired', 'web-only-the-engine-uses-the-sdk'];
const circle = ['packages/sdk/src/one.ts', 'packages/sdk/src/other.ts'] as const;

const importOf = (from: string, to: string): string =>
  `import type { Thing } from '${'../'.repeat(from.split('/').length - 1)}${to}';\nexport type Own = Thing;\n`;

let folder: string;
let told: Set<string>;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealpost-boundaries-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [rule, from, to] of broken) {
    write(to, 'export type Thing = string;\nexport const thing = 1;\n');
    write(
      from,
      forValues.includes(rule) ? importOf(from, to).replace('type { Thing }', '{ thing }') : importOf(from, to),
    );
  }
  write(circle[0], importOf(...circle));
  write(circle[1], importOf(circle[1], circle[0]));
  write('tsconfig.json', '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true } }');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  told = violationsIn(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function violationsIn(cwd: string): Set<string> {
  const config = join(root, '.dependency-cruiser.json');
  const args = [program, '--config', config, '--output-type', 'json', 'packages'];
  const { summary } = JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  };
  return new Set(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`));
}

for (const [rule, from, to] of broken) {
  test(`${rule} is reported when ${from} imports ${to}`, () => {
    assert.ok(told.has(`${rule}: ${from} -> ${to}`), `it told ${[...told].join('\n')}`);
  });
}

test('two files whose types need each other are reported', () => {
  assert.ok(told.has(`no-cycles: ${circle[0]} -> ${circle[1]}`), `it told ${[...told].join('\n')}`);
});

test('every rule is broken here once', () => {
  const { forbidden } = JSON.parse(readFileSync(join(root, '.dependency-cruiser.json'), 'utf8')) as {
    forbidden: { name: string }[];
  };
  assert.deepEqual(
    [...new Set(broken.map(([rule]) => rule)), 'no-cycles'].sort(),
    forbidden.map(({ name }) => name).sort(),
  );
});
