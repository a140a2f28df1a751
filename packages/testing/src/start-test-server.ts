// Starts a gateway inside a test, in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, operationTypes } from '@sealpost/contract';
import type { CallRecord } from '@sealpost/contract/workbench';
import { loadConfig } from '@sealpost/server/workbench';
import { recordOf } from './calls/call-log.ts';
import { matcher } from './calls/call-match.ts';
import { STREAM } from './calls/watch.ts';
import { START, START_TIME } from './server/defaults.ts';
import { type Stand, startStand } from './server/stand.ts';
import { untilFound } from './server/waiting.ts';
import { typeNameOf } from './server/workbench.ts';
import type { CallFilter, TestServer, TestServerOptions } from './test-server.ts';

const WAIT_MS = 5_000;
/** Real milliseconds that a wait for a call gives a found call to end. Streams are not meant to end. */
const END_MS = 500;
/** Maximum number of operations that one read returns. */
const ALL = 100_000;

const PREFIX = 'sealpost-test-';
const quiet = { 'log-level': 'silent', 'login-confirmation': 'never' };
/**
 * Rate limits so high that no test reaches them by accident. A test about rate limits sets lower ones in `settings`.
 */
const unlimited = Object.fromEntries(
  ['send', 'write', 'read', 'lookup', 'backup', 'log', 'key', 'login'].map((name) => [
    `rate-${name}`,
    '1000000+100000',
  ]),
);

/**
 * Starts a gateway on a free port of this machine, with a separate database in a temporary folder.
 * @throws Error if a setting is unknown, the port is taken, or an account cannot be created
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const root = mkdtempSync(join(tmpdir(), PREFIX));
  try {
    return await startIn(root, options);
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(root: string, options: TestServerOptions): Promise<TestServer> {
  const { seed = 1, clock = 'virtual', startTime = START_TIME, accounts = [], settings = {}, port = 0 } = options;
  const stand = await startStand({
    ...{ seed, clock, startTime, port },
    dataDir: join(root, 'data'),
    universes: join(root, 'universes'),
    configFor: (taken = port, dataDir) =>
      loadConfig('serve', {
        flags: { ...quiet, ...unlimited, ...settings, port: String(taken), 'data-dir': dataDir },
        env: {},
        // A test may run in the folder of a real server, whose file names the real database.
        file: null,
      }),
  });
  try {
    for (const userid of accounts) await stand.bench.accounts.create(userid, {});
    await stand.bench.save(START);
  } catch (error) {
    await stand.close();
    throw error;
  }
  return testServerOf(stand, seed, () => rmSync(root, { recursive: true, force: true }));
}

/** @param closed called after the server has stopped */
function testServerOf({ bench, fork, close }: Stand, seed: number, closed: () => void): TestServer {
  let names = 0;
  const end = async (): Promise<void> => {
    await close();
    closed();
  };
  const newName = (): string => `state-${++names}`;
  const requests = ({ tag, after = 0, ...match }: CallFilter = {}): CallRecord[] => {
    const fits = matcher(match);
    const found = [...bench.calls.all()].filter((call) => call.id > after && fits(call)).map(recordOf);
    return found.filter((call) => tag === undefined || call.tag === tag);
  };
  const operations = async (account: string, after = 0): Promise<Operation[]> =>
    (await bench.operationsOf(account, after, ALL)).map(({ operation }) => operation as Operation);
  return {
    get url() {
      return bench.server.url;
    },
    get adminToken() {
      return bench.server.adminToken;
    },
    get accounts() {
      return bench.accounts.list();
    },
    get faults() {
      return bench.faults.list();
    },
    seed,
    brand: bench.config.headerBrand,
    buildToken: bench.config.buildTokens[0] ?? '',
    clock: { now: () => bench.clock().epochMs, advance: (by) => bench.advance(by) },
    ports: bench.ports,
    createAccount: (userid, fields = {}) => bench.accounts.create(userid, fields),
    login: (account) => bench.accounts.login(account),
    fault(rule) {
      const fault = bench.faults.add(rule);
      return { ...fault, remove: () => void bench.faults.remove(fault.id) };
    },
    clearFaults: () => bench.faults.clear(),
    requests,
    async waitForRequest(filter, { timeoutMs = WAIT_MS } = {}) {
      const [found] = await untilFound(async () => requests(filter), timeoutMs);
      if (found) {
        const [ended] = await untilFound(async () => requests(filter).filter(hasEnded), Math.min(END_MS, timeoutMs));
        return ended ?? requests(filter)[0] ?? found;
      }
      const came = requests({ ...(filter.after !== undefined && { after: filter.after }) });
      throw new Error(`no call fits ${JSON.stringify(filter)} after ${timeoutMs} ms; there came ${namesOf(came)}`);
    },
    clearRequests: () => bench.calls.clear(),
    operations,
    async waitFor(account, type, { after = 0, timeoutMs = WAIT_MS, where = () => true } = {}) {
      const fits = (operation: Operation) => operation.type === operationTypes[type] && where(operation);
      const [found] = await untilFound(async () => (await operations(account, after)).filter(fits), timeoutMs);
      if (found) return found;
      const came = (await operations(account, after)).map((operation) => typeNameOf(operation.type) ?? operation.type);
      throw new Error(
        `no ${type} came into the log of ${account} after ${timeoutMs} ms; there came ${came.join(', ') || 'nothing'}`,
      );
    },
    trigger: (trigger) => bench.trigger(trigger),
    snapshot: (name = newName()) => bench.save(name),
    async fork(name) {
      const other = await fork(name ?? (await bench.save(newName())).name);
      return testServerOf(other, seed, () => {});
    },
    async reset(name = START) {
      await bench.reset(name);
    },
    close: end,
    [Symbol.asyncDispose]: end,
  };
}

const hasEnded = ({ durationMs, endpoint }: CallRecord): boolean => durationMs !== undefined || endpoint === STREAM;

const namesOf = (calls: readonly CallRecord[]): string =>
  calls.map(({ endpoint, path }) => endpoint ?? path).join(', ') || 'nothing';
