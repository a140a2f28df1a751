// A workbench that can be reached over HTTP: it serves the workbench API, and starts further servers from saved states.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { loadConfig } from '@sealpost/server/workbench';
import { createControl } from '../control/routes.ts';
import { START } from './defaults.ts';
import { startWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

export interface StandOptions extends Omit<WorkbenchOptions, 'serve' | 'configFor' | 'dataDir'> {
  readonly dataDir: string;
  /** Returns the settings of a server with this port and data folder. */
  readonly configFor: (port: number | undefined, dataDir: string) => ReturnType<typeof loadConfig>;
}

export interface Stand {
  readonly bench: Workbench;
  /** Starts another server from a saved state. That server stops when this one stops. */
  fork(universe: string): Promise<Stand>;
  close(): Promise<void>;
}

export async function startStand(options: StandOptions): Promise<Stand> {
  const { dataDir, configFor } = options;
  const forks: Stand[] = [];
  let started: Workbench | undefined;
  const bench = (): Workbench => {
    if (!started) throw new Error('the workbench has not started yet');
    return started;
  };

  async function fork(universe: string): Promise<Stand> {
    const root = mkdtempSync(join(tmpdir(), 'sealpost-fork-'));
    const remove = (): void => rmSync(root, { recursive: true, force: true });
    try {
      const other = await startFrom(universe, root);
      const close = async (): Promise<void> => {
        await other.close();
        remove();
      };
      const stand = { ...other, close };
      forks.push(stand);
      return stand;
    } catch (error) {
      remove();
      throw error;
    }
  }

  /** Starts another server from a saved state, with its files in an empty folder. */
  async function startFrom(universe: string, root: string): Promise<Stand> {
    const place = join(root, 'data');
    const { universes } = bench();
    const state = universes.restore(universe, place);
    universes.copy(universe, join(root, 'universes'), START);
    return startStand({
      ...{ ...options, state, dataDir: place, port: 0, universes: join(root, 'universes') },
      // The saved state already contains what `prepare` would create.
      ...{ prepare: undefined, onListening: undefined },
    });
  }

  const control = await createControl({
    ...{ bench, fork: async (name) => (await fork(name)).bench.server.url },
    host: () => new URL(bench().server.url).hostname,
    onFault: (error) => console.error('The workbench failed:', error),
  });
  started = await startWorkbench({
    ...options,
    configFor: (port) => configFor(port, dataDir),
    serve: control.serve,
  });
  return {
    bench: started,
    fork,
    async close() {
      for (const other of forks.splice(0)) await other.close();
      await bench().close();
      await control.close();
    },
  };
}
