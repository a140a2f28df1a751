// Saved states of a test server. A state has the data folder, the time of the clock, and the number of random bytes
// drawn so far.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { DevAccount, Universe } from '@sealpost/contract/workbench';

const DATABASE = 'sealpost.db';
/**
 * Files of the data folder that belong to the running server and not to its state. The database is copied separately.
 */
const RUNNING =
  /^(sealpost\.db(-wal|-shm|\.lock)?|sealpost\.db\.lock-(wal|shm|journal)|server\.(json|pid|lock.*)|universes)$/;
const FACTS = 'universe.json';
const STATE = 'state';

/** The facts about a saved state that are not in its data folder. */
export interface UniverseFacts {
  readonly clockMs: number;
  /** The number of random bytes that the server had drawn from its seed. */
  readonly drawn: number;
  /** The accounts that the workbench made, with their passwords. */
  readonly accounts: readonly DevAccount[];
}

/** Error for a saved state that does not exist. */
export class NoUniverse extends Error {
  override name = 'NoUniverse';
}

export interface Universes {
  save(name: string, facts: UniverseFacts): Promise<Universe>;
  list(): Universe[];
  /** @throws NoUniverse */
  find(name: string): Universe;
  /** Copies a saved state into another folder of saved states, under another name. */
  copy(name: string, folder: string, as: string): void;
  /**
   * Replaces the content of a data folder with a saved state.
   * @throws NoUniverse
   */
  restore(name: string, dataDir: string): UniverseFacts;
}

/**
 * @param folder the folder for the saved states
 * @param dataDir the data folder of the running server
 * @param now returns the real time in epoch milliseconds
 */
export function createUniverses(folder: string, dataDir: string, now: () => number): Universes {
  const place = (name: string): string => join(folder, name);

  function read(name: string): Universe & UniverseFacts {
    const path = join(place(name), FACTS);
    if (!existsSync(path)) {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      throw new NoUniverse(`no universe is named ${JSON.stringify(name)}; there are ${names.join(', ') || 'none'}`);
    }
    const facts = JSON.parse(readFileSync(path, 'utf8')) as UniverseFacts & { savedMs: number };
    return { ...facts, ...shown(name, facts) };
  }

  return {
    async save(name, facts) {
      const state = join(place(name), STATE);
      rmSync(place(name), { recursive: true, force: true });
      mkdirSync(state, { recursive: true });
      const database = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
      try {
        await backup(database, join(state, DATABASE));
      } finally {
        database.close();
      }
      copyBeside(dataDir, state);
      const saved = { ...facts, savedMs: now() };
      // Written last: a state without this file was not saved completely, so it counts as missing.
      writeFileSync(join(place(name), FACTS), JSON.stringify(saved));
      return shown(name, saved);
    },
    list: () =>
      existsSync(folder)
        ? readdirSync(folder).flatMap((name) => (existsSync(join(place(name), FACTS)) ? [summaryOf(read(name))] : []))
        : [],
    find: (name) => summaryOf(read(name)),
    copy(name, other, as) {
      read(name);
      cpSync(place(name), join(other, as), { recursive: true });
    },
    restore(name, target) {
      const { clockMs, drawn, accounts } = read(name);
      for (const entry of existsSync(target) ? readdirSync(target) : [])
        if (entry !== 'universes') rmSync(join(target, entry), { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      cpSync(join(place(name), STATE), target, { recursive: true });
      return { clockMs, drawn, accounts };
    },
  };
}

/** Copies everything of a data folder except the database and the files of the running server. */
function copyBeside(dataDir: string, state: string): void {
  for (const entry of readdirSync(dataDir))
    if (!RUNNING.test(entry)) cpSync(join(dataDir, entry), join(state, entry), { recursive: true });
}

const shown = (name: string, { savedMs, clockMs }: UniverseFacts & { savedMs: number }): Universe => ({
  name,
  savedTime: new Date(savedMs).toISOString(),
  clock: new Date(clockMs).toISOString(),
});

const summaryOf = ({ name, savedTime, clock }: Universe): Universe => ({ name, savedTime, clock });
