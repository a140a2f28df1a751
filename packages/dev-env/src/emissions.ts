// Records which operations the calls of a test run append. Each process of the run writes them to the same file. The
// run then compares this file with the contract.
import { appendFileSync } from 'node:fs';
import { type AdminEndpoint, adminEndpointNames, adminEndpointOf } from '@sealpost/contract/admin';
import {
  type Emission,
  type HttpEndpoint,
  httpEndpoints,
  type Method,
  methodNames,
  methodOf,
} from '@sealpost/contract/schemas';

interface Emitted extends Pick<Emission, 'type' | 'to'> {
  readonly endpoint: string;
}

const lineOf = ({ endpoint, type, to }: Emitted): string => `${endpoint}: ${type} to ${to}`;

const file = process.env.SEALPOST_TEST_EMISSIONS;
const noted = new Set<string>();

/** Writes an appended operation to the file of the run, if the run has such a file. */
export function noteEmission(emitted: Emitted): void {
  const line = lineOf(emitted);
  if (file === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(file, `${line}\n`);
}

/**
 * Returns the operations that the contract declares but no call appended. `text` is the content of the file after a run
 * of all tests.
 */
export function neverAppended(text: string): string[] {
  const appended = new Set(text.split('\n'));
  const entries: readonly [string, { readonly summary: string; readonly emits?: readonly Emission[] }][] = [
    ...methodNames.map((name): [string, Method] => [name, methodOf(name)]),
    ...Object.entries<HttpEndpoint>(httpEndpoints),
    ...adminEndpointNames.map((name): [string, AdminEndpoint] => [`admin.${name}`, adminEndpointOf(name)]),
  ];
  const declared = entries.flatMap(([endpoint, { emits = [] }]) =>
    emits.map(({ type, to }) => lineOf({ endpoint, type, to })),
  );
  return [...new Set(declared)].filter((line) => !appended.has(line));
}
