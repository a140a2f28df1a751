// The model: what a number of accounts needs, from measured costs and assumptions. All needs grow in proportion to the
// accounts, so the order in which limits are reached follows from the needs of one account.
import type { Inputs, MachineName, MeasuredName, PriceName, UsageName } from './inputs.ts';

type Values = Readonly<Record<MeasuredName | UsageName | MachineName | PriceName, number>>;

/** What accounts need, before anything is rounded up to whole machines. */
export interface Needs {
  readonly sendsPerSecond: number;
  readonly deliveriesPerSecond: number;
  readonly streams: number;
  readonly serverCores: number;
  readonly databaseCores: number;
  readonly walMegabytes: number;
  readonly messageGigabytes: number;
  readonly entryGigabytes: number;
  readonly mediaGigabytes: number;
  readonly outGigabytes: number;
  readonly streamGib: number;
  readonly scanSeconds: number;
  /** Core-seconds of the servers if all who are online start at once with an empty device. */
  readonly syncSeconds: number;
}

/** A limit that accounts reach one day, and what helps then. */
export interface Limit {
  readonly what: string;
  /** The number of accounts that reach it. */
  readonly accounts: number;
  readonly remedy: string;
}

export interface Projection extends Needs {
  readonly accounts: number;
  readonly processes: number;
  readonly shards: number;
  readonly databaseMachines: number;
  /** Cores of all primaries for the scans of the log subscribers of all processes. */
  readonly scanCores: number;
  readonly coresPerDatabase: number;
  readonly money: Readonly<Record<'servers' | 'databases' | 'objects' | 'traffic', number>>;
}

const DAY = 86_400;
const MONTH_DAYS = 30;
const SCANNED_AT_ONCE = 2000;
/** With fewer accounts, a process rests between two scans. */
const SCANS_ALWAYS = 100_000;
const GIB_OF_CORE = 4;
const LEAST_DATABASE_CORES = 2;

/** Returns the bare values of the inputs. */
export function valuesOf({ measured, usage, machines, prices }: Inputs): Values {
  const all = Object.entries({ ...measured, ...usage, ...machines, ...prices });
  return Object.fromEntries(all.map(([name, { value }]) => [name, value])) as Values;
}

export function needsOf(v: Values, accounts: number): Needs {
  const messagesPerDay = accounts * v.active * v.messages;
  const sends = (messagesPerDay / DAY) * v.peak;
  const further = sends * (v.recipients - 1);
  // Times were measured on machines that differed. A bare request, measured beside them, makes them comparable.
  const [faster, fasterFiles] = [v.floorMicros / v.floor, v.floorMicros / v.syncFloor];
  const mediaMs = (v.mediaKilobytes / 1e5) * (v.uploadCpu + v.mediaReaders * v.downloadCpu) * fasterFiles;
  const serverSeconds = ((sends * v.serverPerSend + further * v.serverPerDelivery) / 1e6) * faster;
  const databaseSeconds = ((sends * v.databasePerSend + further * v.databasePerDelivery) / 1e6) * faster;
  const streams = accounts * v.online;
  return {
    sendsPerSecond: sends,
    deliveriesPerSecond: sends * v.recipients,
    streams,
    serverCores: (serverSeconds + (sends * v.media * mediaMs) / 1000) / v.busy,
    databaseCores: databaseSeconds / v.busy,
    walMegabytes: (sends * v.walScattered + further * v.walPerDelivery) / 1e6,
    messageGigabytes: (messagesPerDay * v.messageDays * v.bytesPerMessage) / 1e9,
    entryGigabytes: (messagesPerDay * (1 + v.recipients) * v.entryDays * v.bytesPerEntry) / 1e9,
    mediaGigabytes: (messagesPerDay * v.media * v.mediaKilobytes * v.mediaDays) / 1e6,
    outGigabytes: (messagesPerDay * v.media * v.mediaKilobytes * v.mediaReaders * MONTH_DAYS) / 1e6,
    streamGib: (streams * v.kibPerStream) / 2 ** 20,
    scanSeconds: ((accounts / SCANNED_AT_ONCE) * v.scanPause + (accounts / 1e5) * v.scan) / 1000,
    syncSeconds: ((streams * v.syncCpu) / 1000) * fasterFiles,
  };
}

const dataOf = (needs: Needs): number => needs.messageGigabytes + needs.entryGigabytes;
const shareOfProcess = (v: Values, needs: Needs): number =>
  Math.max(needs.serverCores, needs.streams / v.streamsPerProcess);

/**
 * Returns the cores of a primary that one process uses to scan logs. Every process looks at all accounts again and again,
 * so with many accounts it never rests but for the pauses.
 */
function coresOfScan(v: Values): number {
  const [msOfAccount, cpuMsOfAccount] = [v.scanPause / SCANNED_AT_ONCE + v.scan / 1e5, v.scanCpu / 1e5];
  return ((cpuMsOfAccount / msOfAccount) * (v.floorMicros / v.floor)) / v.busy;
}

/** Returns all limits in the order in which they are reached. */
export function limitsOf(v: Values): Limit[] {
  const one = needsOf(v, 1);
  const at = (most: number, need: number): number => most / need;
  const limits: Limit[] = [
    {
      what: 'the core of one process',
      accounts: at(1, one.serverCores),
      remedy: '`processes`, or a second server. This needs PostgreSQL.',
    },
    {
      what: 'the streams of one process',
      accounts: at(v.streamsPerProcess, one.streams),
      remedy: '`processes`, or a second server.',
    },
    {
      what: 'the time of a scan of all logs',
      accounts: at(v.scanSeconds, one.scanSeconds),
      remedy:
        'Pushes that a crash hid come later. Then a scan must read only the shares of its process, or marks of unclean ends ([decision 19](decisions/0019-log-subscribers.md)).',
    },
    {
      what: 'the data of one primary',
      accounts: at(v.databaseTerabytes * 1000, dataOf(one)),
      remedy: 'Keep messages for less time (`message-days`), or shards.',
    },
    {
      what: 'the processes of one database',
      accounts: at(v.processes, shareOfProcess(v, one)),
      remedy: 'Ids with more room for the number of the process (below), then shards.',
    },
    {
      what: 'the WAL of one primary',
      accounts: at(v.walMegabytes, one.walMegabytes),
      remedy: 'Checkpoints further apart, `wal_compression`; then shards.',
    },
    {
      what: 'the cores of one primary',
      accounts: at(v.databaseCores, one.databaseCores + shareOfProcess(v, one) * coresOfScan(v)),
      remedy: 'A larger machine, then shards.',
    },
  ];
  return limits.sort((a, b) => a.accounts - b.accounts);
}

export function project(v: Values, accounts: number): Projection {
  const needs = needsOf(v, accounts);
  const processes = Math.max(1, Math.ceil(shareOfProcess(v, needs)));
  const shards = Math.ceil(
    Math.max(
      needs.databaseCores / v.databaseCores,
      needs.walMegabytes / v.walMegabytes,
      dataOf(needs) / (v.databaseTerabytes * 1000),
      processes / v.processes,
    ),
  );
  const databaseMachines = shards * (1 + v.standbys);
  const scanCores = accounts < SCANS_ALWAYS ? 0 : processes * coresOfScan(v);
  const coresPerDatabase = Math.max(LEAST_DATABASE_CORES, Math.ceil((needs.databaseCores + scanCores) / shards));
  const furtherGib = Math.max(0, needs.streamGib - processes * (GIB_OF_CORE / 2));
  return {
    ...needs,
    accounts,
    processes,
    shards,
    databaseMachines,
    scanCores,
    coresPerDatabase,
    money: {
      servers: processes * v.core + furtherGib * v.gibMemory,
      databases: databaseMachines * coresPerDatabase * v.core + dataOf(needs) * (1 + v.standbys) * v.gbDisk,
      objects: needs.mediaGigabytes * v.gbObjects,
      traffic: needs.outGigabytes * v.gbOut,
    },
  };
}
