// `npm run artifacts -- [--version <version>] [--output <folder>] [--only <kinds>] [--architectures <names>]
// [--base <image>] [--quick]`: makes what an operator installs, in the folder `release`: a tarball and a Debian package
// for each processor, and an image for containers. Beside the files of `npm run release`, it writes the checksums of
// all files anew. With --base, the base of the image comes from a registry. With --quick, files are larger.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import { type Architecture, architectureOf, architectures } from './packaging/artifacts/architecture.ts';
import { writeDebianPackage } from './packaging/artifacts/debian-package.ts';
import { beginImage, type ImageBuild } from './packaging/artifacts/image.ts';
import { buildForInstallation } from './packaging/artifacts/installed-tree.ts';
import { layOut, type Source } from './packaging/artifacts/layout.ts';
import { sourceTime } from './packaging/artifacts/reproducible.ts';
import { writeTarball } from './packaging/artifacts/tarball.ts';
import { writeChecksums } from './packaging/checksums.ts';
import { shippedMaterials } from './packaging/materials.ts';
import { isVersion } from './packaging/new-version.ts';
import { publishedPackages } from './packaging/published.ts';

const root = join(import.meta.dirname, '..');
const kinds = ['tarball', 'debian', 'image'] as const;
type Kind = (typeof kinds)[number];

interface Wanted {
  readonly folder: string;
  readonly kinds: ReadonlySet<Kind>;
  readonly architectures: readonly Architecture[];
  readonly quick: boolean;
  /** The base of the image; undefined if it is made from Debian packages. */
  readonly base: string | undefined;
}

/** How much gzip compresses, and the flags of dpkg-deb: for a test, and for a release. */
const compression = {
  quick: { level: 1, debian: ['-Zgzip', '-z1'] },
  small: { level: 9, debian: ['-Zxz', '-z6'] },
};

/** Makes the artifacts for one processor, and adds it to the image. Returns their paths. */
function makeFor(
  source: Source,
  architecture: Architecture,
  wanted: Wanted,
  { staging, image }: { readonly staging: string; readonly image: ImageBuild | undefined },
): string[] {
  const { level, debian } = wanted.quick ? compression.quick : compression.small;
  const prefix = join(staging, architecture.name);
  layOut(source, architecture, prefix);
  const { folder, kinds } = wanted;
  image?.add(architecture, prefix);
  return [
    ...(kinds.has('tarball') ? [writeTarball(source, architecture, prefix, folder, level)] : []),
    ...(kinds.has('debian') ? [writeDebianPackage(source, architecture, prefix, folder, debian)] : []),
  ];
}

async function makeAll(version: string, wanted: Wanted): Promise<string[]> {
  const staging = mkdtempSync(join(tmpdir(), 'sealpost-artifacts-'));
  try {
    const command = await buildForInstallation(root, staging, version);
    const materials = shippedMaterials(root, publishedPackages(root), version);
    const source: Source = { root, command, time: sourceTime(root), materials };
    mkdirSync(wanted.folder, { recursive: true });
    const image = wanted.kinds.has('image') ? beginImage(source, wanted.base, staging) : undefined;
    const made = wanted.architectures.flatMap((one) => makeFor(source, one, wanted, { staging, image }));
    const archive = image ? [image.finish(wanted.folder)] : [];
    writeChecksums(wanted.folder);
    return [...made, ...archive];
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Returns the items of a list that is separated by commas. */
const itemsOf = (text: string | undefined): string[] | undefined => text?.split(',').map((item) => item.trim());

function kindOf(text: string): Kind {
  const kind = kinds.find((one) => one === text);
  if (kind) return kind;
  throw new Error(`--only has ${JSON.stringify(text)}; it may have ${kinds.join(', ')}`);
}

/** Returns the comment at the head of this file. */
async function main(): Promise<void> {
  const { values } = readOptions(import.meta.filename, {
    options: {
      version: { type: 'string' },
      output: { type: 'string' },
      only: { type: 'string' },
      architectures: { type: 'string' },
      base: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const version = values.version ?? current;
  if (!isVersion(version)) throw new Error(`--version is ${JSON.stringify(version)}; it must be like 1.2.3`);
  const made = await makeAll(version, {
    folder: resolve(root, values.output ?? 'release'),
    kinds: new Set(itemsOf(values.only)?.map(kindOf) ?? kinds),
    architectures: itemsOf(values.architectures)?.map(architectureOf) ?? architectures,
    quick: values.quick,
    base: values.base,
  });
  for (const file of made) console.log(relative(process.cwd(), file));
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
