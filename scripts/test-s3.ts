// Finds the S3 server for a test run. Takes the server that the environment names. If there is none, starts a Ceph
// gateway, which keeps its objects in memory.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandPath, howToInstall } from './debian-packages.ts';
import { freePort } from './test-postgres.ts';
import type { Service } from './test-services.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const KEY = { access: 'sealpost', secret: 'sealpost-secret' };
export const CEPH_PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
/**
 * Time limit of a command in milliseconds. A whole start takes about ten seconds. Sometimes a start hangs and the next
 * one works, so a command that takes longer than the limit is ended.
 */
const COMMAND_MS = 40_000;
const STARTS = 5;
const ATTEMPTS = 300;
const PAUSE_MS = 200;

export async function findS3(): Promise<Service> {
  const named = process.env.SEALPOST_TEST_S3_URL;
  if (named) return { url: named, from: 'SEALPOST_TEST_S3_URL', stop: async () => {} };
  const missing = CEPH_PROGRAMS.filter((program) => !commandPath(program));
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')} on the path; ${howToInstall('s3')}`);
  for (let start = 1; ; start += 1) {
    try {
      return await startCeph();
    } catch (error) {
      if (start === STARTS) throw error;
      console.log(`${(error as Error).message}; trying again`);
    }
  }
}

async function startCeph(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-test-s3-'));
  const [monitor, gateway] = [await freePort(), await freePort()];
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(daemons.map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startDaemons(folder, monitor, gateway, daemons);
  } catch (error) {
    await stop();
    const { message, stderr } = error as Error & { stderr?: string };
    throw new Error(`Ceph did not start: ${message.split('\n')[0]} ${stderr?.split('\n')[0] ?? ''}`, { cause: error });
  }
  const url = `http://${KEY.access}:${KEY.secret}@${HOST}:${gateway}`;
  return { url, from: `Ceph gateway of this run, port ${gateway}`, stop };
}

async function startDaemons(folder: string, monitor: number, gateway: number, daemons: ChildProcess[]): Promise<void> {
  for (const part of ['mon', join('osd', '0'), 'rgw', 'run']) mkdirSync(join(folder, part), { recursive: true });
  const conf = join(folder, 'ceph.conf');
  const [cluster, osd, map] = [randomUUID(), randomUUID(), join(folder, 'monmap')];
  writeFileSync(conf, settings(folder, cluster, monitor, gateway));
  const address = `v1:${HOST}:${monitor}`;
  const env = { ...process.env, CEPH_CONF: conf };
  const once = (program: string, ...args: string[]) => run(program, args, { env, timeout: COMMAND_MS });
  const keep = (program: string, ...args: string[]) =>
    daemons.push(spawn(program, ['-f', '-c', conf, ...args], { env, stdio: 'ignore' }));
  await once('monmaptool', '--create', '--clobber', '--addv', 'a', address, '--fsid', cluster, map);
  await once('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '-c', conf);
  keep('ceph-mon', '-i', 'a', '--public-addr', address);
  await once('ceph', '-c', conf, 'osd', 'new', osd);
  await once('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd, '-c', conf);
  keep('ceph-osd', '-i', '0');
  const user = ['--uid=test', '--display-name=test', `--access-key=${KEY.access}`, `--secret-key=${KEY.secret}`];
  await once('radosgw-admin', '-c', conf, '-n', 'client.rgw', 'user', 'create', ...user);
  keep('radosgw', '-n', 'client.rgw');
  await untilAnswering(`http://${HOST}:${gateway}`);
}

/**
 * Returns the configuration of Ceph: one daemon of each kind, no authentication between them, one copy of all data. The
 * rest makes Ceph free the memory of removed objects soon.
 */
const settings = (folder: string, cluster: string, monitor: number, gateway: number): string => `[global]
fsid = ${cluster}
mon_host = v1:${HOST}:${monitor}
public_network = 127.0.0.0/8
ms_bind_ipv4 = true
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
auth_supported = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_crush_chooseleaf_type = 0
mon_warn_on_pool_no_redundancy = false
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.asok
log_file = ${folder}/$name.log
[mon.a]
mon_data = ${folder}/mon/a
[osd.0]
osd_data = ${folder}/osd/0
osd_objectstore = memstore
memstore_device_bytes = 8589934592
[client.rgw]
rgw_frontends = beast endpoint=${HOST}:${gateway}
rgw_data = ${folder}/rgw
rgw_dns_name = ${HOST}
rgw_gc_obj_min_wait = 30
rgw_gc_processor_period = 30
rgw_gc_processor_max_time = 30
`;

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await wait(PAUSE_MS);
  }
  throw new Error(`the Ceph gateway did not answer at ${url}`);
}

function end(daemon: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (daemon.exitCode !== null || daemon.signalCode !== null) return resolve();
    daemon.once('exit', () => resolve());
    daemon.kill('SIGKILL');
  });
}
