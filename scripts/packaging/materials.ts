// Makes the bill of materials of a release. It lists what an installation of the release's packages contains, without
// development tools and tests.
import { join } from 'node:path';
import {
  type BillOfMaterials,
  billOfMaterials,
  type Component,
  refOf as refOfLibrary,
  withPages,
  wrongInPages,
} from '../supply-chain.ts';
import { pageLibraries } from './page-libraries.ts';
import type { Package } from './published.ts';

/**
 * @param version the version of the release; the lockfile may still have the previous version
 * @throws Error if built pages contain a library that the lockfile does not name, or that has a licence which is not
 * allowed there
 */
export function shippedMaterials(root: string, packages: readonly Package[], version: string): BillOfMaterials {
  const refOf = ({ manifest }: Package): string => `${manifest.name}@${manifest.version}`;
  const own = new Map(packages.map((one) => [refOf(one), one]));
  const inPages = new Map([...own].map(([ref, one]) => [ref, pageLibraries(join(root, 'packages'), one)]));
  const libraries = [...inPages.values()].flat();
  const { components, dependencies, ...rest } = withPages(billOfMaterials(root), libraries);
  const wrong = wrongInPages({ components, dependencies }, libraries);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const released = (ref: string): string => {
    const one = own.get(ref);
    return one ? `${one.manifest.name}@${version}` : ref;
  };
  const used = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn.filter(isShipped(own.get(ref)))]));
  const installed = new Set(own.keys());
  // The loop also visits the items that are added to the set during the loop.
  for (const ref of installed) for (const next of used.get(ref) ?? []) installed.add(next);
  // The pages contain the code of libraries, but not the dependencies that npm would install with them.
  const shipped = new Set([...installed, ...libraries.map(refOfLibrary)]);
  const partsOf = (ref: string): string[] => [
    ...(used.get(ref) ?? []).filter((next) => shipped.has(next)),
    ...(inPages.get(ref) ?? []).map(refOfLibrary),
  ];
  return {
    ...rest,
    components: components.filter((one) => shipped.has(one['bom-ref'])).map((one) => named(one, own, version)),
    dependencies: [...shipped].map((ref) => ({
      ref: released(ref),
      dependsOn: [...new Set(partsOf(ref))].map(released),
    })),
  };
}

/**
 * Returns a function that tells whether an installation of a package contains a dependency. Only packages of this
 * project have other dependencies, for their tests.
 */
const isShipped =
  (one: Package | undefined) =>
  (ref: string): boolean =>
    one === undefined || ref.slice(0, ref.lastIndexOf('@')) in (one.manifest.dependencies ?? {});

/**
 * Returns a component with the name and the version that it has in the release. npm names the project's packages after
 * their folders.
 */
function named(component: Component, own: ReadonlyMap<string, Package>, version: string): Component {
  const name = own.get(component['bom-ref'])?.manifest.name;
  if (name === undefined) return component;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { ...component, 'bom-ref': `${name}@${version}`, name, version, purl };
}
