import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSigner, signRequest } from '@sealpost/crypto';
import { isSignatureForm, prepareKey, sign, verify } from '@sealpost/crypto/node';
import { fc } from '@sealpost/dev-env/chance';

interface Vector {
  name: string;
  buildToken: string;
  version: string;
  accessToken: string;
  path: string;
  body: string;
  signature: string;
}

const docs = new URL('../../../docs/', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('signature-vectors.json', docs), 'utf8')) as Vector[];
const keyOf = (v: Vector) => prepareKey(v.buildToken, v.version, v.accessToken);
const first = vectors[0] as Vector;

for (const vector of vectors) {
  test(`both implementations reproduce the vector: ${vector.name}`, async () => {
    assert.equal(await signRequest(vector), vector.signature);
    assert.equal(sign(keyOf(vector), vector.path, Buffer.from(vector.body)), vector.signature);
    assert.equal(verify(keyOf(vector), vector.path, Buffer.from(vector.body), vector.signature), true);
  });
}

test('both implementations agree on any request', async () => {
  const text = fc.string({ unit: 'binary' });
  const bytes = fc.uint8Array({ maxLength: 300 });
  const ascii = fc.string({ unit: 'binary-ascii' });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      text,
      text,
      ascii,
      bytes,
      async (build, version, token, path, body) => {
        const wide = await signRequest({ buildToken: build, version, accessToken: token, path, body });
        assert.equal(sign(prepareKey(build, version, token), path, body), wide);
      },
    ),
    { numRuns: 200 },
  );
});

test('one signer signs many requests of a session', async () => {
  const session = vectors.filter((v) => v.accessToken === vectors[1]?.accessToken && v.version === '3.7.2');
  const sameBuild = session.filter((v) => v.buildToken === 'sealpost-dev');
  const signer = await createSigner(sameBuild[0] as Vector);
  for (const vector of sameBuild) assert.equal(await signer(vector), vector.signature);
});

test('a change of any signed value makes the signature wrong', () => {
  const body = Buffer.from(first.body);
  const good = first.signature;
  assert.equal(verify(keyOf({ ...first, buildToken: 'other' }), first.path, body, good), false);
  assert.equal(verify(keyOf({ ...first, version: '3.7.1' }), first.path, body, good), false);
  assert.equal(verify(keyOf({ ...first, accessToken: 'x' }), first.path, body, good), false);
  assert.equal(verify(keyOf(first), `${first.path}?`, body, good), false);
  assert.equal(verify(keyOf(first), first.path, Buffer.from('[2]'), good), false);
});

test('only 44 characters of canonical base64 have the form of a signature', () => {
  const body = Buffer.from(first.body);
  const good = first.signature;
  const bad = [
    undefined,
    '',
    good.slice(0, 43),
    `${good}=`,
    ` ${good.slice(1)}`,
    `${good}\n`,
    `-${good.slice(1)}`,
    `${good.slice(0, 42) + String.fromCharCode(good.charCodeAt(42) + 1)}=`,
    `${good.slice(0, 40)}AAA=`,
    '='.repeat(44),
    '☃'.repeat(44),
  ];
  for (const header of bad) assert.equal(verify(keyOf(first), first.path, body, header), false, String(header));
  assert.equal(isSignatureForm(good), true);
  assert.equal(isSignatureForm(good.slice(0, 43)), false);
});

const work = mkdtempSync(join(tmpdir(), 'signature-'));
after(() => rmSync(work, { recursive: true }));

const programs = [
  { language: 'ts', file: 'sign.ts', command: process.execPath },
  { language: 'python', file: 'sign.py', command: 'python3' },
  { language: 'sh', file: 'sign.sh', command: 'sh' },
];

for (const { language, file, command } of programs) {
  const needs = language === 'sh' ? 'openssl' : command;
  const absent = spawnSync(needs, [needs === 'openssl' ? 'version' : '--version']).error !== undefined;
  test(`the ${language} program in the documentation reproduces the vectors`, { skip: absent && `no ${needs}` }, () => {
    const page = readFileSync(new URL('signature.md', docs), 'utf8');
    const program = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1];
    assert.ok(program, `docs/signature.md has no ${language} block`);
    const path = join(work, file);
    writeFileSync(path, program);
    for (const v of vectors) {
      const run = spawnSync(command, [path, v.buildToken, v.version, v.accessToken, v.path, v.body], {
        encoding: 'utf8',
      });
      assert.equal(run.stdout.trim(), v.signature, `${v.name}: ${run.stderr}`);
    }
  });
}
