// `npm run supply-chain [folder]`: checks the packages of the product. Each must have a hash in the lockfile, an
// allowed licence, and a valid signature of the registry. The lockfile must name all libraries inside the built pages.
// Writes the bill of materials and the list of licences.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { ALLOWED, isAllowed, isAllowedInBundles } from './packaging/licences.ts';
import type { Library } from './packaging/notices.ts';
import { pageLibraries } from './packaging/page-libraries.ts';
import { publishedPackages } from './packaging/published.ts';

/**
 * Tools that build or test the project and are not part of a published package. Each may have the licence that is named
 * here, although it is not in the list of allowed licences. The package `cli-table` names its licence, MIT, only in its
 * README.
 */
const TOOLS: readonly (readonly [name: RegExp, licence: string])[] = [
  [/^axe-core$/, 'MPL-2.0'],
  [/^lightningcss(-[a-z0-9-]+)?$/, 'MPL-2.0'],
  [/^argparse$/, 'Python-2.0'],
  [/^caniuse-lite$/, 'CC-BY-4.0'],
  [/^cli-table$/, ''],
];
const OUTPUT = 'supply-chain';
/** The property with which npm marks packages that only development needs. */
const DEVELOPMENT = 'cdx:npm:package:development';

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses?: readonly { readonly expression?: string; readonly license?: { id?: string; name?: string } }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** Returns a message for each package whose hash is missing in the lockfile, so that `npm ci` could not check it. */
export function unverified(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !isStrong(integrity))
    .map(([path]) => `${path} has no sha512 in package-lock.json: npm ci would take any bytes for it`);
}

const isStrong = (integrity = ''): boolean => integrity.startsWith('sha512-');

/**
 * Returns a message if the lockfile has no hash of the runtime `program`, for example because an install script
 * downloads it.
 */
export function unlockedRuntime(root: string, lockfile: string, program: string): string[] {
  const path = relative(resolve(root), program);
  if (!path.startsWith(`node_modules${sep}`)) return [];
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  const parts = path.split(sep);
  const folders = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  const owner = folders.filter((folder) => /node_modules\/(@[^/]+\/)?[^/@]+$/.test(folder)).at(-1) ?? path;
  const locked = packages[owner];
  if (locked && isStrong(locked.integrity) && !locked.hasInstallScript) return [];
  return [`the runtime ${path} is not verified: package-lock.json has no hash of what lies in ${owner}`];
}

const licenceOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? '').join(' AND ');

function mayBeUsed(component: Component): boolean {
  const licence = licenceOf(component);
  return TOOLS.some(([name, own]) => name.test(component.name) && own === licence) || isAllowed(licence);
}

export type Signatures =
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'checked'; readonly wrong: readonly string[] };

interface UnsignedPackage {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the verdict of `npm audit signatures --json` from its output. If the registry does not answer, the signatures
 * count as not checked.
 */
export function judgeSignatures(printed: string): Signatures {
  let answer: { invalid?: UnsignedPackage[]; missing?: UnsignedPackage[]; error?: { summary?: string; code?: string } };
  try {
    answer = JSON.parse(printed) as typeof answer;
  } catch {
    return { outcome: 'skipped', reason: 'npm audit signatures printed no JSON' };
  }
  const { invalid, missing, error } = answer;
  if (!invalid || !missing) {
    const [reason = ''] = (error?.summary || error?.code || 'the registry does not answer').split('\n');
    return { outcome: 'skipped', reason };
  }
  const named = (what: string, list: readonly UnsignedPackage[]) =>
    list.map(({ name, version }) => `${name}@${version} has ${what} of the registry`);
  return { outcome: 'checked', wrong: [...named('a wrong signature', invalid), ...named('no signature', missing)] };
}

function npm(folder: string, ...args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) throw error;
  return stdout || JSON.stringify({ error: { summary: stderr } });
}

export interface BillOfMaterials {
  readonly components: readonly Component[];
  /** The dependencies of each component, by `bom-ref`. */
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Returns all packages in the lockfile, in the format CycloneDX.
 * @throws Error if npm cannot list them
 */
export function billOfMaterials(root: string): BillOfMaterials {
  const text = npm(root, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only');
  const { error, ...bill } = JSON.parse(text) as BillOfMaterials & { readonly error?: { readonly summary?: string } };
  if (error) throw new Error(`npm made no bill of materials: ${error.summary}`);
  return bill;
}

/**
 * Removes the mark of development tools from components inside the built pages, because these are part of the product.
 */
export function withPages({ components, ...rest }: BillOfMaterials, libraries: readonly Library[]): BillOfMaterials {
  const inPages = new Set(libraries.map(refOf));
  const shipped = components.map(({ properties = [], ...one }) => ({
    ...one,
    properties: properties.filter(({ name }) => name !== DEVELOPMENT || !inPages.has(one['bom-ref'])),
  }));
  return { ...rest, components: shipped };
}

/** Returns the `bom-ref` that identifies a library. */
export const refOf = ({ name, version }: Library): string => `${name}@${version}`;

/**
 * Returns a message for each library inside the built pages that the lockfile does not name, or whose licence is not
 * allowed.
 */
export function wrongInPages({ components }: BillOfMaterials, libraries: readonly Library[]): string[] {
  const byRef = new Map(components.map((component) => [component['bom-ref'], component]));
  return libraries.flatMap((library) => {
    const component = byRef.get(refOf(library));
    if (!component) return `${refOf(library)} is in the built pages, but not in package-lock.json: build them again`;
    const licence = licenceOf(component) || 'no licence';
    return isAllowedInBundles(licence)
      ? []
      : `${refOf(library)} is in the built pages, which may not contain ${licence}`;
  });
}

function checkSupplyChain(root: string): string[] {
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const packages = publishedPackages(root);
  const libraries = packages.flatMap((one) => pageLibraries(join(root, 'packages'), one));
  const bill = withPages(billOfMaterials(root), libraries);
  const { components } = bill;
  const lines = components.map((component) => `${component.name}@${component.version}  ${licenceOf(component)}`);
  mkdirSync(join(root, OUTPUT), { recursive: true });
  writeFileSync(join(root, OUTPUT, 'sbom.cdx.json'), JSON.stringify(bill, undefined, 2));
  writeFileSync(join(root, OUTPUT, 'licences.txt'), `${lines.sort().join('\n')}\n`);
  console.log(`${components.length} packages: ${OUTPUT}/sbom.cdx.json, ${OUTPUT}/licences.txt`);

  const signatures = judgeSignatures(npm(root, 'audit', 'signatures', '--json', '--fetch-retries=0'));
  if (signatures.outcome === 'skipped') console.log(`skipped: signatures of the registry: ${signatures.reason}`);
  return [
    ...unverified(lockfile),
    ...unlockedRuntime(root, lockfile, process.execPath),
    ...components
      .filter((component) => !mayBeUsed(component))
      .map((component) => {
        const licence = licenceOf(component) || 'no licence';
        return `${component.name}@${component.version} has ${licence}, which is not among the allowed: ${ALLOWED.join(', ')}`;
      }),
    ...wrongInPages(bill, libraries),
    ...(signatures.outcome === 'checked' ? signatures.wrong : []),
  ];
}

if (import.meta.main) {
  try {
    const problems = checkSupplyChain(process.argv[2] ?? join(import.meta.dirname, '..'));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
