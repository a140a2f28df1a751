// A highly available database on this machine: two PostgreSQL under Patroni, with etcd, behind HAProxy. It uses the
// files in deploy/compose, so tests of it are tests of those files.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../scripts/test-postgres.ts';
import { until } from '../until.ts';
import { killAll, pidsOf, postgresIn, signalAll, startProgram, userOfPostgres } from './processes.ts';

const HOST = '127.0.0.1';
const FOLDER_MODE = 0o700;
const POLL_MS = 200;
/** Milliseconds in which Patroni answers about its role. */
const ANSWER_MS = 2_000;
const deploy = join(import.meta.dirname, '../../../../deploy/compose');
/** The password of all roles. Only this machine reaches the nodes. */
const PASSWORD = 'only-for-tests';
const NAMES = ['one', 'two'];

export interface DatabaseNode {
  readonly name: string;
  /** The address of this node itself, with the role of the server. */
  readonly url: string;
  /** Kills PostgreSQL and Patroni with all their processes, as a machine that loses its power does. */
  kill(): Promise<void>;
  /** Stops all processes of the node without ending them. Returns the function that lets them go on. */
  freeze(): () => void;
  start(): void;
  /** Returns true if Patroni of the node says that it follows a primary. */
  isStandby(): Promise<boolean>;
}

export interface DatabasePair {
  /** The address at which HAProxy passes connections on to the primary. */
  readonly url: string;
  readonly nodes: readonly DatabaseNode[];
  /** Returns the nodes that call themselves primary. */
  primaries(): Promise<DatabaseNode[]>;
  /** Returns the primary, once there is one whose standby is synchronous. */
  paired(): Promise<DatabaseNode>;
  close(): Promise<void>;
}

/**
 * Starts the pair, and waits until it has a primary and a synchronous standby.
 * @param binDir the folder with the programs of PostgreSQL
 */
export async function startDatabasePair(binDir: string): Promise<DatabasePair> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-database-pair-'));
  chmodSync(folder, FOLDER_MODE);
  const user = userOfPostgres();
  if (user) chownSync(folder, user.uid, user.gid);
  const etcdPort = await freePort();
  const etcd = startProgram(
    { command: 'etcd', args: etcdArgs(join(folder, 'etcd'), etcdPort, await freePort()), env: {} },
    join(folder, 'etcd.log'),
  );
  const setup = { folder, binDir, etcd: `${HOST}:${etcdPort}` };
  const nodes = await Promise.all(NAMES.map((name) => prepareNode(name, setup)));
  for (const node of nodes) node.start();
  const port = await freePort();
  const proxy = startProgram(
    { command: 'haproxy', args: ['-db', '-f', join(deploy, 'haproxy.cfg')], env: proxyEnv(port, nodes) },
    join(folder, 'haproxy.log'),
  );

  const endNow = (): void => {
    signalAll([...nodes.flatMap((node) => node.processes()), ...pidsOf(etcd), ...pidsOf(proxy)], 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', endNow);
  const primaries = async (): Promise<OwnNode[]> => {
    const answers = await Promise.all(nodes.map((node) => node.answers('primary')));
    return nodes.filter((_, at) => answers[at]);
  };
  const pair: DatabasePair = {
    url: urlOf(port),
    nodes,
    primaries,
    async paired() {
      let found: DatabaseNode | undefined;
      await until(async () => {
        await pause(POLL_MS);
        const [primary] = await primaries();
        const standby = nodes.find((node) => node !== primary);
        found = primary && (await standby?.answers('synchronous')) ? primary : undefined;
        return found !== undefined;
      }, `the pair is complete; ${folder} has the logs`);
      if (!found) throw new Error('the primary of the pair is gone again');
      return found;
    },
    async close() {
      await killAll([...nodes.flatMap((node) => node.processes()), ...pidsOf(etcd), ...pidsOf(proxy)]);
      process.off('exit', endNow);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await pair.paired().catch(async (error: unknown) => {
    const logs = ['etcd', 'haproxy', ...NAMES].map((name) => lastLines(join(folder, `${name}.log`)));
    await pair.close();
    throw new Error(`the database pair did not start:\n${logs.join('\n')}`, { cause: error });
  });
  return pair;
}

const urlOf = (port: number): string => `postgres://sealpost:${PASSWORD}@${HOST}:${port}/sealpost`;

const lastLines = (log: string): string => `${log}:\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`;

const etcdArgs = (dataDir: string, clientPort: number, peerPort: number): string[] => [
  '--name=one',
  `--data-dir=${dataDir}`,
  `--listen-client-urls=http://${HOST}:${clientPort}`,
  `--advertise-client-urls=http://${HOST}:${clientPort}`,
  `--listen-peer-urls=http://${HOST}:${peerPort}`,
  `--initial-advertise-peer-urls=http://${HOST}:${peerPort}`,
  `--initial-cluster=one=http://${HOST}:${peerPort}`,
];

interface OwnNode extends DatabaseNode {
  readonly port: number;
  readonly patroniPort: number;
  processes(): number[];
  /** Returns true if Patroni of this node says that it has a role. */
  answers(role: 'primary' | 'replica' | 'synchronous'): Promise<boolean>;
}

const proxyEnv = (port: number, nodes: readonly OwnNode[]): Record<string, string> => ({
  DATABASE_LISTEN: `${HOST}:${port}`,
  ...Object.fromEntries(
    nodes.flatMap((node, at) => [
      [`DATABASE_${at + 1}`, `${HOST}:${node.port}`],
      [`DATABASE_${at + 1}_PATRONI`, String(node.patroniPort)],
    ]),
  ),
});

interface NodeSetup {
  readonly folder: string;
  readonly binDir: string;
  /** Host and port of etcd. */
  readonly etcd: string;
}

async function prepareNode(name: string, { folder, binDir, etcd }: NodeSetup): Promise<OwnNode> {
  const [port, patroniPort] = [await freePort(), await freePort()];
  const dataDir = join(folder, name);
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: etcd,
    PATRONI_RESTAPI_LISTEN: `${HOST}:${patroniPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${HOST}:${patroniPort}`,
    PATRONI_POSTGRESQL_LISTEN: `${HOST}:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${HOST}:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_BIN_DIR: binDir,
    PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    SEALPOST_DATABASE_SQL: join(deploy, 'database.sql'),
    SEALPOST_DATABASE_PASSWORD: PASSWORD,
  };
  let patroni: ChildProcess | undefined;
  const processes = (): number[] => [...(patroni ? pidsOf(patroni) : []), ...postgresIn(dataDir)];
  const answers: OwnNode['answers'] = (role) =>
    fetch(`http://${HOST}:${patroniPort}/${role}`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  return {
    ...{ name, port, patroniPort, url: urlOf(port), processes },
    kill: () => killAll(processes()),
    freeze() {
      const frozen = processes();
      signalAll(frozen, 'SIGSTOP');
      return () => signalAll(frozen, 'SIGCONT');
    },
    start() {
      const program = { command: 'patroni', args: [join(deploy, 'patroni.yaml')], env };
      patroni = startProgram(program, join(folder, `${name}.log`));
    },
    isStandby: () => answers('replica'),
    answers,
  };
}
