import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, operationTypes } from '@sealpost/contract';
import { adminEndpointNames, adminEndpointOf, adminProblems, adminRoot } from '@sealpost/contract/admin';
import { httpEndpoints, methodNames, methodOf } from '@sealpost/contract/schemas';
import { asyncApi } from '../src/asyncapi.ts';
import { callsOf, type OpenApiDocument } from '../src/browser/calls.ts';
import { exampleOf } from '../src/browser/example.ts';
import { anchor } from '../src/markdown.ts';
import { openApi } from '../src/openapi.ts';
import { referencePages } from '../src/reference.ts';
import { docsRoutes } from '../src/routes.ts';

const info = { url: 'http://127.0.0.1:8787', brand: 'Svc', version: '0.1.0' };
const reference = () => referencePages({ brand: info.brand });

interface DocumentedEndpoint {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { schema?: { prefixItems?: readonly unknown[] } }> };
  readonly responses: Record<string, object>;
}
interface Document {
  readonly paths: Record<string, Record<string, DocumentedEndpoint>>;
  readonly components: { readonly schemas: Record<string, object>; readonly examples: Record<string, object> };
}
const document = openApi(info, true) as unknown as Document;
const endpoints = Object.values(document.paths).flatMap((item) => Object.values(item));

/** Returns every `$ref` inside a document. */
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

test('every method of the contract stands in openapi.json, under every path that is served', () => {
  for (const name of methodNames) {
    const { doubledPrefix, alsoAt = [] } = methodOf(name);
    const found = endpoints.filter(({ operationId }) => operationId === name || operationId.startsWith(`${name}.`));
    assert.equal(found.length, 1 + (doubledPrefix ? 1 : 0) + alsoAt.length, name);
  }
});

test('every endpoint that is no RPC stands in openapi.json with each of its verbs', () => {
  for (const [name, { path, verbs }] of Object.entries(httpEndpoints)) {
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

test('every endpoint of the admin API stands in openapi.json with its token and problems, and in the reference', () => {
  const page = reference().get('admin.md') ?? '';
  for (const name of adminEndpointNames) {
    const entry = adminEndpointOf(name);
    const endpoint = document.paths[adminRoot + entry.path]?.[entry.verb.toLowerCase()];
    assert.equal(endpoint?.operationId, `admin.${name}`);
    assert.deepEqual(endpoint.security, [entry.scope === 'none' ? {} : { adminToken: [] }], name);
    for (const status of Object.keys(adminProblems(entry))) assert.ok(endpoint.responses[status], `${name} ${status}`);
    assert.ok(page.includes(`## ${name}\n\n${entry.summary}\n`), name);
  }
});

test('openapi.json names each endpoint once, and gives each a success and its errors', () => {
  assert.equal(new Set(endpoints.map(({ operationId }) => operationId)).size, endpoints.length);
  for (const { operationId, responses, security } of endpoints) {
    assert.ok(responses['200'] ?? responses['201'] ?? responses['204'], operationId);
    assert.ok(Object.keys(responses).length > 1, operationId);
    assert.ok(security.length > 0, operationId);
  }
});

test('the body of a call lists its positional arguments in their order', () => {
  for (const name of methodNames) {
    const { args } = methodOf(name);
    const endpoint = endpoints.find(({ operationId }) => operationId === name);
    const schema = endpoint?.requestBody?.content['application/json']?.schema;
    assert.equal(schema?.prefixItems?.length ?? 0, args.length, name);
  }
});

test('every reference in openapi.json and asyncapi.json leads somewhere', () => {
  for (const root of [openApi(info, true), asyncApi(info)]) {
    const refs = refsIn(root);
    assert.ok(refs.length > 0);
    for (const ref of refs) assert.ok(resolve(root, ref) !== undefined, ref);
  }
});

test('header names follow the brand that the server is set to', () => {
  const branded = JSON.stringify(openApi({ ...info, brand: 'Acme' }, true));
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

test('the coverage page counts the endpoints of the specification apart from those beyond it', () => {
  const page = reference().get('coverage.md') ?? '';
  const [ofSpecification = '', beyond = ''] = page.split('## Called by existing clients');
  assert.match(ofSpecification, /^87 of 87 are served\.$/m);
  for (const name of ['TalkService.sendMessage', 'directObject'])
    assert.ok(ofSpecification.includes(`[\`${name}\`]`), name);
  for (const name of ['stickerPicture', 'homeId', 'TalkService.fetchOps'])
    assert.ok(beyond.includes(`[\`${name}\`]`), name);
});

const routes = docsRoutes({ ...info, obsUrl: info.url, webClient: 'none' });
const bodyAt = (path: string): string => routes.find((route) => route.path === path)?.body ?? '';

test('the pages load nothing from elsewhere and nothing inline, so that the strict policy holds', () => {
  for (const path of ['/', '/docs', '/docs/server']) {
    const html = bodyAt(path);
    assert.ok(html.startsWith('<!doctype html>'), path);
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
    for (const [, target = ''] of html.matchAll(/(?:src|href)="([^"#]*)/g)) {
      assert.ok(target === '' || target.startsWith('/'), `${path} loads ${target}`);
    }
  }
});

test('every script and style of the pages is served, with every module that it imports', () => {
  const served = new Set(routes.map(({ path }) => path));
  for (const { path, body } of routes) {
    for (const [, target = ''] of body.matchAll(/(?:src|href)="(\/docs\/[^"]*)"/g))
      assert.ok(served.has(target), target);
    if (!path.endsWith('.js')) continue;
    for (const [, target = ''] of body.matchAll(/from '\.\/([^']+)'/g))
      assert.ok(served.has(`/docs/${target}`), target);
  }
});

test('the try-it page offers every endpoint, with a body of as many arguments as the call takes', () => {
  const root = JSON.parse(bodyAt('/openapi.json')) as OpenApiDocument;
  const calls = callsOf(root);
  for (const name of methodNames) {
    const call = calls.find((one) => one.name === name);
    assert.ok(call, name);
    assert.equal((exampleOf(call.body ?? {}, root) as unknown[]).length, methodOf(name).args.length, name);
  }
});

test('values of the configuration are escaped on the pages', () => {
  const [landing] = docsRoutes({ ...info, obsUrl: 'http://<b>"x"', webClient: 'none' });
  assert.ok(landing?.body.includes('http://&lt;b&gt;&quot;x&quot;'));
});

test('the page about the server makes room for the web client, and tells if nobody built it', () => {
  const pagesWith = (webClient: 'served' | 'not built' | 'none') => {
    const all = docsRoutes({ ...info, obsUrl: info.url, webClient });
    return (path: string) => all.find((route) => route.path === path)?.body;
  };
  const [served, unbuilt, none] = [pagesWith('served'), pagesWith('not built'), pagesWith('none')];
  assert.equal(served('/'), undefined);
  assert.ok(served('/docs/server')?.includes('<a class="button" href="/">Open the web client</a>'));
  assert.ok(unbuilt('/')?.includes('npm run build -w packages/web'));
  assert.doesNotMatch(none('/') ?? assert.fail('no page at /'), /web client/i);
  for (const at of [unbuilt, none]) assert.equal(at('/'), at('/docs/server'));
});
