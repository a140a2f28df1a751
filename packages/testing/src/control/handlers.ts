// The handlers of the workbench API, by the names of their endpoints in the contract.
import type { IncomingMessage } from 'node:http';
import type {
  SeenOperation,
  WorkbenchArgs,
  WorkbenchEndpointName,
  WorkbenchResult,
} from '@sealpost/contract/workbench';
import { AccountConflict, InvalidAccount, Problem } from '@sealpost/server/workbench';
import { seenOf } from '../calls/call-log.ts';
import { matcher } from '../calls/call-match.ts';
import { NoAccount } from '../server/accounts.ts';
import { NoUniverse } from '../server/universes.ts';
import { untilFound } from '../server/waiting.ts';
import { NotEmbedded, RealClock, type Workbench } from '../server/workbench.ts';
import { withFinding } from './signature-finding.ts';

type Handlers = {
  readonly [N in WorkbenchEndpointName]: (
    args: WorkbenchArgs<N>,
    request: IncomingMessage,
  ) => Promise<WorkbenchResult<N>> | WorkbenchResult<N>;
};

export interface ControlDeps {
  readonly bench: () => Workbench;
  /** Starts a second server from a saved state. Returns the address of the second server. */
  readonly fork: (universe: string) => Promise<string>;
}

const MOST_REQUESTS = 10_000;
const MOST_OPERATIONS = 1000;

export function controlHandlers({ bench, fork }: ControlDeps): Handlers {
  return {
    showWorkbench: () => {
      const { seed, server, config, accounts } = bench();
      return {
        ...{ url: server.url, clock: bench().clock(), brand: config.headerBrand },
        ...(seed !== undefined && { seed: String(seed) }),
        buildToken: config.buildTokens[0] ?? '',
        accounts: [...accounts.list()],
      };
    },
    showClock: () => bench().clock(),
    advanceClock: async ({ by }) => {
      await bench().advance(by);
      return bench().clock();
    },
    listFaults: () => ({ faults: bench().faults.list() }),
    addFault: (rule) => addFault(bench(), rule),
    removeFault: ({ fault }) => {
      if (!bench().faults.remove(fault)) throw new Problem(404, `no fault has the id ${JSON.stringify(fault)}`);
      return undefined;
    },
    clearFaults: () => {
      bench().faults.clear();
      return undefined;
    },
    listRequests: ({ after = '0', limit = MOST_REQUESTS, tag, ...match }) => {
      const fits = matcher(match);
      const found = [...bench().calls.all()].filter((call) => call.id > Number(after) && fits(call)).map(seenOf);
      return { requests: found.filter((call) => tag === undefined || call.tag === tag).slice(0, limit) };
    },
    showRequest: ({ id }) => {
      const call = bench().calls.get(Number(id));
      if (!call) throw new Problem(404, `no call has the number ${JSON.stringify(id)}, or it is no longer kept`);
      return withFinding(bench(), call);
    },
    clearRequests: () => {
      bench().calls.clear();
      return undefined;
    },
    listOperations: async (args) => ({ operations: await operations(bench(), args) }),
    createDevAccount: ({ userid, ...fields }) => bench().accounts.create(userid, fields),
    openSession: ({ account }) => bench().accounts.login(account),
    trigger: async (trigger) => ({ streams: await bench().trigger(trigger) }),
    listUniverses: () => ({ universes: bench().universes.list() }),
    saveUniverse: ({ name }) => bench().save(name),
    resetUniverse: ({ universe }, { socket }) => bench().reset(universe, socket),
    forkUniverse: async ({ universe }) => ({ url: await fork(universe) }),
  };
}

/** Returns the HTTP problem for an error of the workbench; undefined for any other error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof NoAccount || error instanceof NoUniverse) return new Problem(404, error.message);
  if (error instanceof InvalidAccount) return new Problem(400, error.message, { errors: error.errors });
  if (error instanceof AccountConflict) return new Problem(409, error.message, { field: error.field });
  return error instanceof RealClock || error instanceof NotEmbedded ? new Problem(409, error.message) : undefined;
}

function addFault({ faults }: Workbench, rule: WorkbenchArgs<'addFault'>): WorkbenchResult<'addFault'> {
  try {
    return faults.add(rule);
  } catch (error) {
    throw new Problem(400, (error as Error).message);
  }
}

async function operations(
  bench: Workbench,
  { account, after = '0', type, wait = 0, limit = MOST_OPERATIONS }: WorkbenchArgs<'listOperations'>,
): Promise<SeenOperation[]> {
  const fitting = async (): Promise<SeenOperation[]> => {
    const found: SeenOperation[] = [];
    for (let from = Number(after); ; ) {
      const page = await bench.operationsOf(account, from, MOST_OPERATIONS);
      found.push(...page.filter((operation) => type === undefined || operation.type === type));
      const last = page.at(-1);
      if (!last || page.length < MOST_OPERATIONS || found.length >= limit) return found.slice(0, limit);
      from = last.revision;
    }
  };
  const found = await untilFound(fitting, wait);
  if (found.length > 0 || wait === 0) return found;
  throw new Problem(408, `no ${type ?? 'operation'} came into the log of ${account} after ${after} within ${wait} ms`);
}
