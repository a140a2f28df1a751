// The packs that come with the server and belong to everyone. Their ids are fixed, because messages contain them.
import { readdirSync, readFileSync } from 'node:fs';
import { onFirstUse } from '../../platform/kernel/on-first-use.ts';
import { type Pack, readPack } from './pack.ts';

export interface NumberedPack {
  readonly productId: string;
  readonly firstStickerId: number;
  readonly pack: Pack;
}

const numbers = [
  { folder: 'lettie', productId: '1', firstStickerId: 1 },
  { folder: 'wax', productId: '2', firstStickerId: 101 },
  { folder: 'emoji', productId: 'sealpost-emoji', firstStickerId: 0 },
] as const;

/** Returns the built-in packs. They are read once, because several servers may start in one process. */
export const loadBuiltIn = onFirstUse((): readonly NumberedPack[] =>
  numbers.map(({ folder, ...numbered }) => ({ ...numbered, pack: readPack(filesOf(folder)) })),
);

function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  const path = new URL(`./packs/${folder}/`, import.meta.url);
  return new Map(readdirSync(path).map((name) => [name, readFileSync(new URL(name, path))]));
}
