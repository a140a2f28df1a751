import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, operationTypes } from '@sealpost/contract';
import { httpOperations, methodNames, methodOf } from '@sealpost/contract/schemas';
import { asyncApi } from '../src/docs/asyncapi.ts';
import { anchor } from '../src/docs/markdown.ts';
import { openApi } from '../src/docs/openapi.ts';
import { referencePages } from '../src/docs/reference.ts';

const info = { url: 'http://127.0.0.1:8787', brand: 'Svc', version: '0.1.0' };
const reference = (served: readonly string[] = []) => referencePages({ brand: info.brand, served: new Set(served) });

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { schema?: { prefixItems?: readonly unknown[] } }> };
  readonly responses: Record<string, object>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object>; readonly examples: Record<string, object> };
}
const document = openApi(info) as unknown as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

/** Every `$ref` inside a document. */
function refsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(refsIn);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : refsIn(value)));
}

const resolve = (root: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], root);

test('every method of the contract has an operation in openapi.json, under every path that is served', () => {
  for (const name of methodNames) {
    const { doubledPrefix, alsoAt = [] } = methodOf(name);
    const found = operations.filter(({ operationId }) => operationId === name || operationId.startsWith(`${name}.`));
    assert.equal(found.length, 1 + (doubledPrefix ? 1 : 0) + alsoAt.length, name);
  }
});

test('every operation that is no RPC stands in openapi.json with each of its verbs', () => {
  for (const [name, { path, verbs }] of Object.entries(httpOperations)) {
    const item = document.paths[path];
    assert.deepEqual(
      Object.keys(item ?? {}).sort(),
      Object.keys(verbs)
        .map((verb) => verb.toLowerCase())
        .sort(),
      name,
    );
  }
});

test('openapi.json names each operation once, and gives each a success and its errors', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const { operationId, responses, security } of operations) {
    assert.ok(responses['200'], operationId);
    assert.ok(Object.keys(responses).length > 1, operationId);
    assert.ok(security.length > 0, operationId);
  }
});

test('the body of a call lists its positional arguments in their order', () => {
  for (const name of methodNames) {
    const { args } = methodOf(name);
    const operation = operations.find(({ operationId }) => operationId === name);
    const schema = operation?.requestBody?.content['application/json']?.schema;
    assert.equal(schema?.prefixItems?.length ?? 0, args.length, name);
  }
});

test('every reference in openapi.json and asyncapi.json leads somewhere', () => {
  for (const root of [openApi(info), asyncApi(info)]) {
    const refs = refsIn(root);
    assert.ok(refs.length > 0);
    for (const ref of refs) assert.ok(resolve(root, ref) !== undefined, ref);
  }
});

test('header names follow the brand that the server is set to', () => {
  const branded = JSON.stringify(openApi({ ...info, brand: 'Acme' }));
  assert.ok(branded.includes('X-Acme-Access'));
  assert.ok(!branded.includes('X-Svc-'));
});

test('every operation that a method emits stands in asyncapi.json and on the page of operations', () => {
  const { components } = asyncApi(info) as unknown as { components: { messages: Record<string, object> } };
  const page = reference().get('operations.md') ?? '';
  for (const name of methodNames) {
    for (const { type } of methodOf(name).emits ?? []) {
      assert.ok(components.messages[type], type);
      assert.ok(page.includes(`### ${operationTypes[type]} ${type}\n`), type);
    }
  }
});

test('every error of the table is documented with its body', () => {
  const page = reference().get('errors.md') ?? '';
  for (const name of Object.keys(errors)) {
    assert.ok(page.includes(`### ${name}\n`), name);
    assert.ok(document.components.examples[name], name);
  }
});

test('every method has a section in the reference, with its summary', () => {
  const text = [...reference().values()].join('\n');
  for (const name of methodNames) {
    assert.ok(text.includes(`## ${name.split('.')[1]}\n\n${methodOf(name).summary}\n`), name);
  }
});

test('links inside the reference lead to a heading that exists', () => {
  const pages = reference();
  const anchors = new Map(
    [...pages].map(([file, text]) => [
      file,
      new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchor(title ?? ''))),
    ]),
  );
  for (const [file, text] of pages) {
    for (const [, target = '', hash] of text.matchAll(/\]\(([\w.-]*)(?:#([\w-]+))?\)/g)) {
      if (target.endsWith('.json')) continue;
      const headings = anchors.get(target === '' ? file : target);
      assert.ok(headings, `${file} links to ${target}`);
      assert.ok(hash === undefined || headings.has(hash), `${file} links to ${target}#${hash}`);
    }
  }
});

test('the coverage page tells served methods from those that are not available yet', () => {
  const page = reference(['TalkService.sendMessage']).get('coverage.md') ?? '';
  assert.ok(page.includes('| `TalkService.sendMessage` | served |'));
  assert.ok(page.includes('| `TalkService.unsendMessage` | not available yet |'));
  assert.ok(page.includes(`1 of ${methodNames.length} methods`));
});
