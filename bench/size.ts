// `npm run bench:size`: prints the sizes of the SDK in a browser, by groups of modules, and the size of what the page
// loads. Sizes are bytes of minified files after `gzip -9`. The share of a group is its part of the minified text.
import { SourceMap } from 'node:module';
import { type BundledFile, bundleWith, gzippedSize } from '@sealpost/dev-env/browser-bundle';
import { type LoadedFile, pageLoad } from '../packages/web/first-load.ts';

const programs = [
  ['createRpcClient', 'createSealingClient'],
  ['createClient', 'browserStore'],
];
/** A module that is loaded when the keys of another user, or the account's own keys, are checked for the first time. */
const CHECKS = 'packages/sdk/src/key-log/key-log-witness.ts';

/** Returns the number of minified bytes of each group of modules in a file, according to the file's source map. */
function groupsOf({ code, map }: BundledFile): Map<string, number> {
  const sizes = new Map<string, number>();
  if (!map) return sizes;
  const { names, sources, mappings } = map;
  const sourceMap = new SourceMap({
    version: 3,
    file: '',
    sourceRoot: '',
    sourcesContent: [],
    names,
    sources,
    mappings,
  });
  for (const [line, text] of code.split('\n').entries()) {
    for (let column = 0; column < text.length; column++) {
      const entry = sourceMap.findEntry(line, column);
      // Between two modules, there is code of the bundler, which has no source.
      const source = 'originalSource' in entry ? (entry.originalSource as string | undefined) : undefined;
      const group = source === undefined ? 'the bundler' : groupOf(source);
      sizes.set(group, (sizes.get(group) ?? 0) + 1);
    }
  }
  return sizes;
}

/** Returns the group of a module: its folder for a module of the SDK, its package for any other module. */
function groupOf(source: string): string {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
  if (dependency) return dependency;
  const [, name = source, rest = ''] = /packages\/([^/]+)\/src\/(.*)/.exec(source) ?? [];
  return name === 'sdk' ? `sdk/${rest.split('/')[0]}` : name;
}

const line = (name: string, bytes: number): string => `${String(Math.round(bytes)).padStart(9)}  ${name}`;

for (const names of programs) {
  const bundle = await bundleWith(names);
  const first = bundle.loadedWith();
  const checking = new Set([...first, ...bundle.loadedWith(CHECKS)]);
  console.log(`\n${names.join(' and ')}`);
  console.log(line('at first', gzippedSize(first)));
  console.log(line('with the checks of keys', gzippedSize([...checking])));

  const shares = new Map<string, number>();
  for (const file of first) {
    for (const [group, bytes] of groupsOf(file)) {
      shares.set(group, (shares.get(group) ?? 0) + (bytes * file.gzipped) / file.code.length);
    }
  }
  console.log('\n    At first, by module:');
  for (const [group, bytes] of [...shares].sort(([, a], [, b]) => b - a)) console.log(line(group, bytes));
  console.log('\n    Loaded when needed, by file:');
  for (const file of bundle.files.filter((one) => !first.includes(one)).sort((a, b) => b.gzipped - a.gzipped)) {
    console.log(line(file.name, file.gzipped));
  }
}

function tell(title: string, files: readonly LoadedFile[]): void {
  const sum = files.reduce((bytes, { gzipped }) => bytes + gzipped, 0);
  console.log(`\n${title}\n${line('in all', sum)}`);
  for (const { name, gzipped } of files) console.log(line(name, gzipped));
}

const { first, chat } = await pageLoad();
tell('The web client, until the list of chats is shown', first);
tell('and until the first chat is shown', chat);
