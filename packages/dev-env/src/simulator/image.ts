// The database with which each simulation begins: it has the accounts of a workload, each with three
// sessions.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Session } from '@sealpost/sdk';
import { openSqlite } from '@sealpost/server/internal';
import { nameOf, names, PEOPLE } from '../workload/cast.ts';
import { createRandom } from '../workload/random.ts';
import { Faults } from './faults.ts';
import { SimulatedGateway } from './gateway.ts';
import { ObjectPlace } from './object-place.ts';
import { Schedule } from './schedule.ts';

/** The time at which the image is made, in epoch milliseconds. */
const MADE = Date.UTC(2030, 0, 1);

export interface Image {
  readonly path: string;
  /** The time after the making of the image. */
  readonly time: number;
  /** The sessions of the devices. */
  readonly sessions: readonly Session[];
  /** A second session of each account, for the reads at the end. */
  readonly observers: readonly Session[];
  /** A third session of each account, which its device may end. */
  readonly guests: readonly Session[];
  readonly userids: readonly string[];
  /** The ids of the accounts in the database. */
  readonly accountIds: readonly number[];
}

export async function makeImage(folder: string): Promise<Image> {
  mkdirSync(join(folder, 'image'), { recursive: true });
  const path = join(folder, 'image', 'sealpost.db');
  const schedule = new Schedule(createRandom(0), MADE);
  const store = openSqlite({
    path,
    crashPoint: () => {},
    timeCommit: () => () => {},
    timers: schedule.timersOf({ name: 'disk', alive: true }),
    check: 'never',
    onNotice: () => {},
    onError: () => {},
    onFatal: () => {},
  });
  const random = createRandom(0);
  const faults = new Faults(random);
  faults.heal();
  const gateway: SimulatedGateway = new SimulatedGateway(
    {
      seed: 0,
      schedule,
      random,
      faults,
      folder,
      store: () => store,
      objects: new ObjectPlace(schedule.clock.now, () => {}),
      gateways: () => [],
      onCommit: () => {},
      onLostWake: () => {},
      crash: () => {},
    },
    0,
    0,
  );
  await gateway.start(0);
  gateway.ready = false;
  const [sessions, observers, guests]: [Session[], Session[], Session[]] = [[], [], []];
  const userids: string[] = [];
  const accountIds: number[] = [];
  for (const [account, name] of names.entries()) {
    const { accounts, sessions: opened } = gateway.slices;
    const kind = account < PEOPLE ? 'user' : 'official';
    const { id, mid } = await accounts.create({
      userid: name,
      password: `password of ${name}`,
      displayName: nameOf(account),
      kind,
    });
    const about = { systemName: 'test', modelName: '', clientType: 'test', remoteAddress: '127.0.0.1' };
    for (const ofKind of [sessions, observers, guests]) {
      const { tokens } = await store.transact((tx) => opened.open(tx, { accountId: id, mid, ...about }));
      ofKind.push({ mid, tokens });
    }
    userids.push(name);
    accountIds.push(id);
    schedule.now += 1;
  }
  gateway.alive = false;
  await store.close();
  const copy = join(folder, 'image.db');
  copyFileSync(path, copy);
  switchSealingOff(copy);
  return { path: copy, time: schedule.now + 1000, ...{ sessions, observers, guests }, userids, accountIds };
}

/** Switches Letter Sealing off for all accounts, because the model of the workload compares plain texts. */
function switchSealingOff(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('insert into settings (account_id, sealing_off) select id, 1 from account');
  database.close();
}
