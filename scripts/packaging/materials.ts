// The bill of materials of a release: what an installation of its packages contains, and no tools or tests.
import { type BillOfMaterials, billOfMaterials, type Component } from '../supply-chain.ts';
import type { Package } from './published.ts';

/** @param version the version of the release, which the lockfile need not have yet */
export function shippedMaterials(root: string, packages: readonly Package[], version: string): BillOfMaterials {
  const { components, dependencies, ...rest } = billOfMaterials(root);
  const refOf = ({ manifest }: Package): string => `${manifest.name}@${manifest.version}`;
  const own = new Map(packages.map((one) => [refOf(one), one]));
  const released = (ref: string): string => {
    const one = own.get(ref);
    return one ? `${one.manifest.name}@${version}` : ref;
  };
  const used = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn.filter(isShipped(own.get(ref)))]));
  const reached = new Set(own.keys());
  // A set that grows during the loop is visited to its end.
  for (const ref of reached) for (const next of used.get(ref) ?? []) reached.add(next);
  return {
    ...rest,
    components: components.filter((one) => reached.has(one['bom-ref'])).map((one) => named(one, own, version)),
    dependencies: [...reached].map((ref) => ({ ref: released(ref), dependsOn: (used.get(ref) ?? []).map(released) })),
  };
}

/** Returns whether an installation of a package contains a dependency. Only the project's own have others, for tests. */
const isShipped =
  (one: Package | undefined) =>
  (ref: string): boolean =>
    one === undefined || ref.slice(0, ref.lastIndexOf('@')) in (one.manifest.dependencies ?? {});

/** Returns a component with its name and version in the release. npm names workspaces after their folders. */
function named(component: Component, own: ReadonlyMap<string, Package>, version: string): Component {
  const name = own.get(component['bom-ref'])?.manifest.name;
  if (name === undefined) return component;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { ...component, 'bom-ref': `${name}@${version}`, name, version, purl };
}
