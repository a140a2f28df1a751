// Makes the bill of materials of an artifact. It has the materials of a release that fit its processor, and Node.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BillOfMaterials, Component } from '../../supply-chain.ts';
import type { Architecture } from './architecture.ts';
import { fitsLinux, type Lockfile } from './locked-libraries.ts';
import type { SourceTime } from './reproducible.ts';

const COMMAND = 'sealpost';

/**
 * Returns the bill of materials of an installation for one processor. The same input gives the same text.
 * @param bill the bill of the release
 */
export function installedMaterials(
  root: string,
  bill: BillOfMaterials,
  version: string,
  { cpu, runtime }: Architecture,
  time: SourceTime,
): object {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile };
  const foreign = new Set(Object.entries(packages).flatMap(([key, one]) => (fitsLinux(one, cpu) ? [] : nameIn(key))));
  const isForeign = (ref: string): boolean => foreign.has(ref.slice(0, ref.lastIndexOf('@')));
  const node = runtimeComponent(packages, runtime);
  const components = [...bill.components.filter((one) => !isForeign(one['bom-ref'])), node];
  const dependencies = bill.dependencies
    .filter(({ ref }) => !isForeign(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [...dependsOn.filter((one) => !isForeign(one)), ...(isCommand(ref) ? [node['bom-ref']] : [])],
    }));
  return stamped({ components, dependencies }, version, time);
}

const isCommand = (ref: string): boolean => ref.startsWith(`${COMMAND}@`);
const nameIn = (key: string): string => key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Returns the component of Node, with the hash that npm compared when it installed it. */
function runtimeComponent(packages: Lockfile, name: string): Component {
  const entry = packages[`node_modules/${name}`];
  if (!entry?.integrity) throw new Error(`package-lock.json has no hash of ${name}`);
  const hash = Buffer.from(entry.integrity.slice('sha512-'.length), 'base64').toString('hex');
  return {
    'bom-ref': `${name}@${entry.version}`,
    type: 'library',
    name,
    version: entry.version,
    scope: 'required',
    purl: `pkg:npm/${name}@${entry.version}`,
    hashes: [{ alg: 'SHA-512', content: hash }],
    licenses: [{ license: { id: 'MIT' } }],
  } as Component;
}

/** Returns the bill with a number that follows from its content, and with the time of all files. */
function stamped(bill: BillOfMaterials, version: string, time: SourceTime): object {
  const digest = createHash('sha256').update(JSON.stringify(bill)).digest('hex');
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map((at, n) => digest.slice(at, at + ([8, 4, 3, 3, 12][n] ?? 0)));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${a}-${b}-5${c}-8${d}-${e}`,
    version: 1,
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      component: { 'bom-ref': `${COMMAND}@${version}`, type: 'application', name: COMMAND, version },
    },
    ...bill,
  };
}
