// Runs a real server in a process of its own, sends it mutated requests, and judges what became of it.
import { failureLimits, rateLimits } from '@sealpost/contract';
import { run } from '../command.ts';
import { inspected } from '../inspector.ts';
import { adminToken, commandPath, type ServerProcess, startServer } from '../server-process.ts';
import { until } from '../until.ts';
import { attack, type Fault } from './attack.ts';
import { createCast, createUntouched, type Untouched } from './cast.ts';
import { bytesOf, draftOf } from './draft.ts';
import { openLine } from './exchange.ts';
import { factsOf, type ProcessFacts } from './process-facts.ts';
import { errorLines, faultsOfProcess } from './process-judge.ts';
import { type AbusiveRequest, abusiveRequests } from './requests.ts';
import { validCalls } from './valid-calls.ts';

export interface AbuseOptions {
  readonly seed: number;
  /** The numbers of the first request, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The address of a PostgreSQL database; SQLite is used if it is absent. */
  readonly databaseUrl?: string;
  /** Called with each request and the statuses of its answers. */
  readonly onAnswer?: (request: AbusiveRequest, statuses: readonly number[]) => void;
}

export interface AbuseReport {
  /** The number of requests that were sent. A fault ends the run early. */
  readonly requests: number;
  /** The request that took longest to end, whatever ended it. */
  readonly slowest: { readonly number: number; readonly ms: number };
  readonly seconds: number;
  readonly faults: readonly Fault[];
  /** Answers by status. A request without an answer counts under `none`. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Names of operations that got no successful answer, and of those that got no answer at all. */
  readonly neverSucceeded: readonly string[];
  readonly neverSent: readonly string[];
  /**
   * The process after the first requests, and at the end, without garbage; undefined if it is gone, or if the system does
   * not tell.
   */
  readonly warm: ProcessFacts | undefined;
  readonly end: ProcessFacts | undefined;
  /** Seconds of the processor that server and client took for the requests. */
  readonly serverSeconds: number | undefined;
  readonly clientSeconds: number;
}

const CONNECTIONS = 24;
/** Milliseconds. A server waits 30 s for the rest of a request, and looks every 5 s for those that took longer. */
const SILENCE_MS = 60_000;
/** After so many requests come other accounts, because earlier calls may have ended their sessions and chats. */
const PER_CAST = 10_000;
/** After so many requests the server has loaded what it needs, so its memory should not grow any more. */
const WARM = 20_000;

const NO_LIMIT = '1000000+100000';
const settings = (databaseUrl: string | undefined): Readonly<Record<string, string>> => ({
  signature: 'strict',
  'log-level': 'error',
  registration: 'open',
  ...Object.fromEntries(Object.keys(rateLimits).map((name) => [`rate-${name}`, NO_LIMIT])),
  ...Object.fromEntries(
    Object.keys(failureLimits).map((name) => [
      `failures-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      '100000000/600+1..1',
    ]),
  ),
  ...(databaseUrl !== undefined && { 'database-url': databaseUrl }),
});

/** Returns the statuses of all valid calls by name, each made by new accounts. */
async function statusesOfValidCalls(place: { url: string; adminToken: string }): Promise<Map<string, number>> {
  const cast = await createCast(place);
  const [caller] = cast.callers;
  const line = openLine(place.url, SILENCE_MS);
  const statuses = new Map<string, number>();
  const calls = caller ? validCalls(cast, caller) : [];
  for (const call of calls.toSorted((one, two) => Number(one.endsSession) - Number(two.endsSession))) {
    const { outcome, answers } = draftOf(call);
    const isHead = call.verb === 'HEAD';
    const request = { number: 0, call: call.name, mutations: [], outcome, answers, isHead, mustFail: false };
    const bytes = bytesOf(draftOf(call));
    const { answers: got } = await line.send({ ...request, bytes, waits: call.waits, declared: call.declared });
    statuses.set(call.name, got[0]?.status ?? 0);
  }
  line.close();
  return statuses;
}

/** Returns what `sealpost verify` finds in the data of a stopped server. */
async function findingsIn({ dataDir, env }: ServerProcess, databaseUrl: string | undefined): Promise<string[]> {
  const flags = ['--data-dir', dataDir, ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl])];
  const { code, out, err } = await run(env, ['verify', ...flags]);
  return code === 0 ? [] : [`sealpost verify ends with ${code}: ${out}${err}`];
}

/** What a server told before the attack. */
interface Before {
  readonly told: string;
  readonly statuses: ReadonlyMap<string, number>;
  readonly idle: ProcessFacts | undefined;
  /** The length of what the process had written. */
  readonly output: number;
}

/** Descriptors that a server may have more than before: files of the database and of idle connections. */
const MORE_DESCRIPTORS = 12;

/** Returns what is worse than before the attack on a server that still runs. */
async function problemsAfter(server: ServerProcess, untouched: Untouched, before: Before): Promise<string[]> {
  const problems: string[] = [];
  const { idle } = before;
  if (idle) {
    const areClosed = () => (factsOf(server.pid)?.descriptors ?? 0) <= idle.descriptors + MORE_DESCRIPTORS;
    await until(areClosed, 'the connections are closed').catch(() =>
      problems.push(`${factsOf(server.pid)?.descriptors} descriptors are open, and ${idle.descriptors} were before`),
    );
  }
  const told = await untouched.read().catch(String);
  if (told !== before.told)
    problems.push(`the untouched accounts see something else than before: ${told.slice(0, 200)}`);
  const talks = await untouched.talk().catch(String);
  if (talks !== true) problems.push(`the untouched accounts cannot talk any more: ${talks}`);
  for (const [name, status] of await statusesOfValidCalls({ url: server.url, adminToken })) {
    const earlier = before.statuses.get(name);
    if (status !== earlier) problems.push(`the valid call ${name} answers ${status}, and answered ${earlier} before`);
  }
  return problems;
}

/** Counts what came back. */
function createTally() {
  const statuses = new Map<string, number>();
  const succeeded = new Set<string>();
  const sent = new Set<string>();
  let requests = 0;
  let slowest = { number: 0, ms: 0 };
  return {
    statuses,
    succeeded,
    sent,
    get requests() {
      return requests;
    },
    get slowest() {
      return slowest;
    },
    add({ call, number }: AbusiveRequest, got: readonly number[], ms: number): void {
      requests += 1;
      if (ms > slowest.ms) slowest = { number, ms };
      sent.add(call);
      if (got.some((status) => status < 300)) succeeded.add(call);
      for (const status of got.length > 0 ? got.map(String) : ['none'])
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
  };
}

export async function abuse({ seed, from, to, databaseUrl, onAnswer }: AbuseOptions): Promise<AbuseReport> {
  const { flags, within } = await inspected();
  const server = await startServer(settings(databaseUrl), commandPath, flags);
  const faults: Fault[] = [];
  async function factsWithoutGarbage(): Promise<ProcessFacts | undefined> {
    if (server.ended !== undefined) return undefined;
    try {
      await within((call) => call('HeapProfiler.collectGarbage'));
    } catch (error) {
      faults.push({ problem: `the garbage of the server cannot be collected: ${error}` });
    }
    return factsOf(server.pid);
  }
  try {
    const place = { url: server.url, adminToken };
    const untouched = await createUntouched(place);
    const before = {
      told: await untouched.read(),
      statuses: await statusesOfValidCalls(place),
      idle: factsOf(server.pid),
      output: server.output.length,
    };
    const tally = createTally();
    const begun = { at: performance.now(), cpu: process.cpuUsage() };
    let warm: ProcessFacts | undefined;
    for (let next = from; next < to && faults.length === 0 && server.ended === undefined; next += PER_CAST) {
      const requests = abusiveRequests(seed, await createCast(place));
      const sending = { url: server.url, requests, from: next, to: Math.min(next + PER_CAST, to) };
      const onEach = (request: AbusiveRequest, statuses: readonly number[], ms: number): void => {
        tally.add(request, statuses, ms);
        onAnswer?.(request, statuses);
      };
      faults.push(...(await attack({ ...sending, connections: CONNECTIONS, silenceMs: SILENCE_MS, onAnswer: onEach })));
      if (next - from < WARM) warm = await factsWithoutGarbage();
    }
    const seconds = (performance.now() - begun.at) / 1000;
    const { user, system } = process.cpuUsage(begun.cpu);
    const end = await factsWithoutGarbage();
    const problems = server.ended === undefined ? await problemsAfter(server, untouched, before) : [];
    untouched.close();
    problems.push(...faultsOfProcess({ warm, end, output: server.output.slice(before.output), ended: server.ended }));
    if (server.ended === undefined) {
      await server.stop();
      problems.push(...errorLines(server.output.slice(before.output)), ...(await findingsIn(server, databaseUrl)));
    }
    const all = [...before.statuses.keys()];
    return {
      requests: tally.requests,
      slowest: tally.slowest,
      seconds,
      faults: [...faults, ...[...new Set(problems)].map((problem) => ({ problem }))],
      statuses: tally.statuses,
      neverSucceeded: all.filter((name) => tally.sent.has(name) && !tally.succeeded.has(name)),
      neverSent: all.filter((name) => !tally.sent.has(name)),
      warm,
      end,
      serverSeconds: end && before.idle && end.cpuSeconds - before.idle.cpuSeconds,
      clientSeconds: (user + system) / 1e6,
    };
  } finally {
    await server.dispose();
  }
}
