// Starts the four servers that the bench compares, each with the same number of people who are logged in.
import { rmSync } from 'node:fs';
import type { LoopOrder, SendMeasure } from '../closed-loop.ts';
import { type DatabaseServer, startDatabase } from '../database/server.ts';
import { dataFolder, makeUsers, startGateway } from '../gateway.ts';
import type { LoadProcess } from '../load-process.ts';
import { SERVER_CORE } from '../pinned-process.ts';
import { startEjabberd } from './ejabberd.ts';
import type { Peer } from './peer.ts';
import { startProsody } from './prosody.ts';
import { countSyncs } from './syncs.ts';
import { register } from './xmpp.ts';

const PAIRS = 50;
export const TEXT_BYTES = 200;

export const CONTENDERS = ['sqlite', 'postgres', 'ejabberd', 'prosody'] as const;
export type ContenderName = (typeof CONTENDERS)[number];

export type Load = Omit<LoopOrder, 'pid' | 'databasePid'>;

export interface Contender {
  /** The version of its database, if that is a server of its own. */
  readonly databaseVersion: string | undefined;
  run(load: Load): Promise<SendMeasure>;
  /** Returns how often files were synchronized so far; undefined if nobody counts. */
  syncs(): Promise<number | undefined>;
}

/** Calls a function at the end of the bench. */
export type Later = <T>(value: T, how: (value: T) => unknown) => T;

/** @param traced true if strace counts how often a server without a database of its own synchronizes its files */
export function startContender(
  name: ContenderName,
  load: LoadProcess,
  later: Later,
  traced = false,
): Promise<Contender> {
  if (name === 'sqlite' || name === 'postgres') return startOurs(name, load, later, traced);
  return startXmpp(name, load, later, traced);
}

const ownDatabase = async (later: Later): Promise<DatabaseServer> =>
  later(await startDatabase([], SERVER_CORE), (server) => server.stop());

async function startOurs(
  name: 'sqlite' | 'postgres',
  load: LoadProcess,
  later: Later,
  traced: boolean,
): Promise<Contender> {
  const database = name === 'postgres' ? await ownDatabase(later) : undefined;
  const folder = later(dataFolder(), (path) => rmSync(path, { recursive: true, force: true }));
  const count = traced && !database ? countSyncs() : undefined;
  if (count) later(count, (one) => one.end());
  const options = { core: SERVER_CORE, under: count?.under };
  const gateway = later(await startGateway(folder, database?.url, [], options), (server) => server.stop());
  const users = await makeUsers(gateway, PAIRS * 2);
  const target = { port: gateway.port, pid: gateway.pid, databasePid: database?.pid, users };
  return {
    databaseVersion: database?.version,
    run: (order) => load.send({ ...target, ...order, delivered: true, textBytes: TEXT_BYTES }),
    syncs: async () => (database ? database.syncs() : count?.syncs()),
  };
}

async function startXmpp(
  name: 'ejabberd' | 'prosody',
  load: LoadProcess,
  later: Later,
  traced: boolean,
): Promise<Contender> {
  const database = name === 'ejabberd' ? await ownDatabase(later) : undefined;
  const count = traced && !database ? countSyncs() : undefined;
  if (count) later(count, (one) => one.end());
  const options = { under: count?.under };
  const start = (): Promise<Peer> => (database ? startEjabberd(database, options) : startProsody(options));
  const peer = later(await start(), (server) => server.stop());
  const users = Array.from({ length: PAIRS * 2 }, (_, at) => ({ name: `bench${at}`, password: `password of ${at}` }));
  for (const user of users) await register(peer.port, user);
  const target = { port: peer.port, pid: peer.pid, databasePid: database?.pid, users };
  return {
    databaseVersion: database?.version,
    run: (order) => load.sendXmpp({ ...target, ...order, textBytes: TEXT_BYTES }),
    syncs: async () => (database ? database.syncs() : count?.syncs()),
  };
}
