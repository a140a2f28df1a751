// Checks the code in the documents. Programs must compile with the types of the project, and quoted code must occur in
// the project.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\w+)$/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    blocks.push({ page, line: at + 1, language, text: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return blocks;
}

const pages = globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md'], { cwd: root }).sort();
const blocks = pages.flatMap(blocksOf);

/**
 * Declarations for the programs of each page. They declare what already exists according to the text around a program.
 * A program may declare the same names itself.
 */
const given: Readonly<Record<string, string>> = {
  'docs/key-log.md': `
    declare const client: import('@sealpost/sdk').RpcClient;
    declare const mid: string, wantedKeyId: number, knownPublicKey: Uint8Array<ArrayBuffer>;`,
  'docs/letter-sealing.md': `
    import { createKeyMaterial, openMedia, openMessage, readSealedHeader, sealMedia, sealMessage, sharedSecret } from '@sealpost/crypto';
    type Key = Uint8Array<ArrayBuffer>;
    declare const own: { privateKey: Key }, theirs: { publicKey: Key };
    declare const to: string, from: string, file: Blob, response: { body: AsyncIterable<Key> };
    declare const message: { to: string; from: string; chunks: string[]; contentMetadata: { e2eeVersion: string } };
    declare const temporary: { write(chunk: Uint8Array): Promise<void>; show(): Promise<void> };
    declare function upload(chunk: Uint8Array): Promise<void>;`,
  'docs/media.md': `
    declare const client: import('@sealpost/sdk').Client;
    declare const to: string, file: File, jpeg: Uint8Array<ArrayBuffer>, signal: AbortSignal;
    declare const temporary: { write(chunk: Uint8Array): Promise<void> };
    declare function show(share: number): void;`,
  'docs/sdk.md': `
    declare const url: string, from: string;
    declare const storage: import('@sealpost/sdk').SessionStorage, session: import('@sealpost/sdk').Session;
    declare const client: import('@sealpost/sdk').Client, messages: import('@sealpost/sdk').StoredMessage[];
    declare const bob: { mid: string }, picture: Uint8Array<ArrayBuffer>;`,
  'docs/sealing.md': `
    declare const url: string, passphrase: string, password: string, bobMid: string, to: string;
    declare const client: import('@sealpost/sdk').RpcClient, sealing: import('@sealpost/sdk').SealingClient;
    declare const picture: import('@sealpost/sdk').OutgoingMedia;`,
};

const IMPORT = /^import .*;$/gm;

/**
 * Returns a program as a module: first its imports, then the declarations of its page, then the rest of the program in
 * a function.
 */
const moduleOf = ({ page, text }: Block): string =>
  [
    ...(text.match(IMPORT) ?? []),
    given[page] ?? '',
    'export async function program() {',
    text.replace(IMPORT, ''),
    '}',
  ].join('\n');

/** Returns the errors that the compiler reports for modules that exist only in memory. */
function complaintsOf(modules: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const settings = { ...options, incremental: false, noUnusedLocals: false };
  const host = ts.createCompilerHost(settings);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => modules.has(name) || fileExists(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = modules.get(name);
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...modules.keys()], settings, host);
  return [...modules.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map((d) => `${name}: ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`);
  });
}

/** Pages whose TypeScript is a part of a file, which cannot be compiled alone. */
const QUOTING = ['docs/conformance.md', 'docs/client-grades.md'];

test('programs of the pages have the types that the packages give them', () => {
  const programs = blocks.filter(({ language, page }) => language === 'ts' && !QUOTING.includes(page));
  const modules = new Map(programs.map((block) => [join(root, `${block.page}:${block.line}.ts`), moduleOf(block)]));
  assert.ok(modules.size >= 10);
  assert.deepEqual(complaintsOf(modules), []);
  const wrong = new Map([
    [join(root, 'wrong.ts'), "import { createRpcClient } from '@sealpost/sdk';\ncreateRpcClient({ url: 7 });"],
  ]);
  assert.equal(complaintsOf(wrong).length, 1);
});

describe('code that a page quotes stands in the tree', () => {
  const tree = globSync(['packages/*/{src,test}/**/*.ts', 'mutants/*.ts'], { cwd: root }).map((file) =>
    plain(readFileSync(join(root, file), 'utf8')),
  );
  /** Returns the text without indentation, because a page may show code with less indentation than the file. */
  function plain(text: string): string {
    return text.replace(/^ +/gm, '');
  }
  /** The pieces of quoted code: for a diff, each sequence of added lines; for other blocks, the whole text. */
  const quotes = blocks.flatMap(({ page, line, language, text }) => {
    if (language === 'diff') {
      const runs = text.match(/(?:^\+.*\n?)+/gm) ?? [];
      return runs.map((run) => ({ page, line, text: run.replace(/^\+/gm, '').trimEnd() }));
    }
    return language === 'ts' && page === 'docs/conformance.md' ? [{ page, line, text }] : [];
  });
  for (const { page, line, text } of quotes) {
    test(`${page}:${line}`, () => {
      assert.ok(
        tree.some((file) => file.includes(plain(text))),
        `no file has this any more; quote it anew:\n${text}`,
      );
    });
  }
});

test('every language of the pages is looked at here, or run by the test of its page', () => {
  const elsewhere = ['go', 'js', 'json', 'mermaid', 'python', 'sh'];
  assert.deepEqual(
    blocks.filter(({ language }) => !['ts', 'diff', ...elsewhere].includes(language)),
    [],
  );
});
