import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const vectorsFile = new URL('../../../docs/letter-sealing-vectors.json', import.meta.url);
const { media } = JSON.parse(readFileSync(vectorsFile, 'utf8')) as {
  media: { kind: string; keyMaterial: string; plain: { size: number }; blob?: string }[];
};

/** Resolves modules as a bundler for browsers does: without the condition "node", and without the modules of Node. */
const program = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, { ...context, conditions: ['browser', 'import', 'default'] });
      if (found.url.startsWith('node:')) throw new Error(context.parentURL + ' needs ' + specifier);
      return found;
    },
  });
  const { openMedia, sealMedia, fromBase64, toBase64 } = await import(process.argv[1]);
  const { keyMaterial, blob } = JSON.parse(process.argv[2]);
  const plain = [];
  for await (const chunk of openMedia(fromBase64(keyMaterial), [fromBase64(blob)])) plain.push(chunk);
  const sealed = [];
  for await (const chunk of sealMedia(fromBase64(keyMaterial), plain)) sealed.push(...chunk);
  process.stdout.write(toBase64(Uint8Array.from(sealed)));
`;

test('where there is nothing of Node, as in browsers, the package loads and seals the same bytes', () => {
  const vector = media.find(({ kind, plain }) => kind === 'file' && plain.size === 64);
  const index = new URL('../src/index.ts', import.meta.url).href;
  const args = ['--input-type=module', '--eval', program, index, JSON.stringify(vector)];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(run.stderr, '');
  assert.equal(run.stdout, vector?.blob);
});
