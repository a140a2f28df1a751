// A population in the server of `sealpost dev`.
import type { Clock, Timers } from '@sealpost/contract/ports';
import type { RunningServer } from '@sealpost/server';
import { type Life, startLife } from './life.ts';
import { type PopulateOptions, populate } from './populate.ts';

/** The options of a population. Default for `people`: as many as the data folder already has, or 50. */
export interface DevPopulation extends Omit<PopulateOptions, 'sources' | 'endsAt'> {
  /** Messages per minute while the server runs. */
  readonly rate?: number;
  /** Called with each error of the simulated people while the server runs. */
  readonly onError?: (error: unknown) => void;
}

/** The parts of the running server that `startLife` needs. */
export interface LivedServer {
  readonly server: Pick<RunningServer, 'url'>;
  readonly config: { readonly buildTokens: readonly string[]; readonly headerBrand: string };
  readonly ports: { readonly clock: Clock; readonly timers: Timers };
}

/**
 * Creates the population of a data folder, unless the folder has one. Returns the file with the logins, and the
 * function that makes the people continue to talk.
 * @param sources the sources of the server's settings
 * @param endsAt the end of the history; undefined for now
 */
export async function settleInDev(
  { rate, onError, ...given }: DevPopulation,
  sources: PopulateOptions['sources'],
  endsAt: number | undefined,
): Promise<{ readonly loginsIn: string; readonly live: (lived: LivedServer) => Life }> {
  const population = await populate({ sources, ...given, ...(endsAt !== undefined && { endsAt }) });
  const live = ({ server, config, ports }: LivedServer): Life => {
    const [buildToken] = config.buildTokens;
    return startLife({
      ...{ population, ports, url: server.url, brand: config.headerBrand },
      ...(buildToken !== undefined && { buildToken }),
      ...(rate !== undefined && { rate }),
      ...(onError && { onError }),
    });
  };
  return { loginsIn: population.loginsIn, live };
}
