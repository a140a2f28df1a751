// Measures uploads and downloads of objects. They go alternately through the server and through the floors of
// media-floor.ts.
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brandHeader, contentTypes } from '@sealpost/contract';
import { openCalls } from './call.ts';
import type { Gateway } from './gateway.ts';
import type { LoadProcess } from './load-process.ts';
import type { TransferMeasure } from './media-load.ts';
import { messageOf, SERVER_CORE, spawnPinned, stop } from './pinned-process.ts';
import { residentKib } from './process-usage.ts';
import type { Direction, Floor, TransferResult, TransferRound } from './report-media.ts';
import type { User } from './request.ts';

export interface Transfers {
  readonly inFlight: number;
  readonly megabytes: number;
}

export interface TransferPlan extends Transfers {
  readonly rounds: number;
  /** Many transfers at the same time, to measure the memory that the server needs for them. */
  readonly crowd: Transfers;
}

interface Target {
  readonly port: number;
  readonly pid: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the path of a new object. */
  newPath(): Promise<string>;
  /** Removes all objects, so that all measurements begin with the same state of the disk and its cache. */
  clear(): Promise<void>;
}

type Measures = Readonly<Record<Direction, TransferMeasure>>;

const MB = 1e6;
const DIRECTIONS: readonly Direction[] = ['upload', 'download'];

const told = ({ mbPerSecond, cpuMs, residentMib }: TransferMeasure): string =>
  `${mbPerSecond.toFixed(0)} MB/s, ${cpuMs.toFixed(0)} ms CPU per 100 MB, ${residentMib.toFixed(0)} MiB`;

/**
 * Makes the kernel allocate memory for its file cache now, because otherwise the first transfer would wait for it. On a
 * virtual machine, this allocation takes longer than the rest of a transfer.
 */
async function warmCache(folder: string, megabytes: number): Promise<void> {
  const file = path.join(folder, 'warm');
  const block = Buffer.alloc(MB);
  await writeFile(
    file,
    Array.from({ length: megabytes }, () => block),
  );
  await rm(file);
  spawnSync('sync');
}

async function measureBoth(
  load: LoadProcess,
  target: Target,
  folder: string,
  { inFlight, megabytes }: Transfers,
): Promise<Measures> {
  const paths: string[] = [];
  while (paths.length < inFlight) paths.push(await target.newPath());
  const { port, pid, headers } = target;
  const order = { port, pid, headers, paths, bytes: megabytes * MB };
  await warmCache(folder, inFlight * megabytes);
  const upload = await load.transfer({ ...order, direction: 'upload' });
  const download = await load.transfer({ ...order, direction: 'download' });
  await target.clear();
  // `sync` waits until all data are on the disk. Otherwise, writing them later would slow down the next transfers.
  spawnSync('sync');
  return { upload, download };
}

/** @param folder the folder in which the floor stores its files */
export async function measureTransfers(
  load: LoadProcess,
  { gateway, user, folder }: { readonly gateway: Gateway; readonly user: User; readonly folder: string },
  plan: TransferPlan,
  say: (text: string) => void,
): Promise<Omit<TransferResult, 'loginMib'>> {
  const child = spawnPinned(path.join(import.meta.dirname, 'media-floor.ts'), [folder], { core: SERVER_CORE });
  const { call, close } = await openCalls(gateway.port, user);
  let names = 0;
  const sent: string[] = [];
  const port = (await messageOf(child)) as number;
  const floorAt = (below: string): Target => ({
    ...{ port, pid: child.pid as number, headers: {} },
    newPath: async () => `${below}${++names}`,
    async clear() {
      for (; names > 0; names--) await rm(path.join(folder, String(names)));
    },
  });
  const floors: readonly (readonly [Floor, Target])[] = [
    ['bare pipe', floorAt('/')],
    ['pipe with SHA-256', floorAt('/hashed/')],
  ];
  const ours: Target = {
    ...{ port: gateway.port, pid: gateway.pid, headers: { [brandHeader('Svc', 'access')]: user.accessToken } },
    async newPath() {
      const message = { to: user.mid, contentType: contentTypes.FILE };
      const { id } = await call<{ id: string }>('TalkService.sendMessage', 0, message);
      sent.push(id);
      return `/r/talk/m/${id}`;
    },
    async clear() {
      for (const id of sent.splice(0)) await call('TalkService.unsendMessage', 0, id);
    },
  };
  try {
    const residentMib = residentKib(gateway.pid) / 1024;
    const rounds: TransferRound[] = [];
    for (let round = 1; round <= plan.rounds; round++) {
      const measured = await measureBoth(load, ours, folder, plan);
      for (const direction of DIRECTIONS) say(`round ${round}: ${direction} ${told(measured[direction])}`);
      for (const [against, target] of floors) {
        const least = await measureBoth(load, target, folder, plan);
        for (const direction of DIRECTIONS) {
          rounds.push({ direction, against, floor: least[direction], ours: measured[direction] });
          say(`round ${round}: ${direction}, ${against}: ${told(least[direction])}`);
        }
      }
    }
    const crowd = { ...plan.crowd, ...(await measureBoth(load, ours, folder, plan.crowd)) };
    for (const direction of DIRECTIONS) {
      say(`${crowd.inFlight} ${direction}s: at most ${crowd[direction].residentMib.toFixed(0)} MiB resident`);
    }
    return { inFlight: plan.inFlight, megabytes: plan.megabytes, rounds, residentMib, crowd };
  } finally {
    close();
    await stop(child, 'SIGKILL');
  }
}
