// Reads tables of a simulation by a connection of its own.
import { DatabaseSync } from 'node:sqlite';
import type { SimulatedDisk } from './disk.ts';

export function readRows<R>({ path }: Pick<SimulatedDisk, 'path'>, query: string, ...values: (string | number)[]): R[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(query).all(...values) as R[];
  } finally {
    database.close();
  }
}
