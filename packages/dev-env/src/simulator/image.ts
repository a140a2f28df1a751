// The database with which each simulation begins: it has the accounts of a workload, each with three
// sessions, and the members of the sealed group.
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

/** Number of the members of the sealed group, which are accounts of their own. */
const KEEPERS = 4;
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
  /** The sessions of the members of the sealed group. */
  readonly keepers: readonly Session[];
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
  const { accounts, sessions: opened } = gateway.slices;
  const about = { systemName: 'test', modelName: '', clientType: 'test', remoteAddress: '127.0.0.1' };
  async function open(accountId: number, mid: string): Promise<Session> {
    const { tokens } = await store.transact((tx) => opened.open(tx, { accountId, mid, ...about }));
    return { mid, tokens };
  }
  for (const [account, name] of names.entries()) {
    const kind = account < PEOPLE ? 'user' : 'official';
    const { id, mid } = await accounts.create({
      ...{ userid: name, password: `password of ${name}`, displayName: nameOf(account), kind },
    });
    for (const ofKind of [sessions, observers, guests]) ofKind.push(await open(id, mid));
    userids.push(name);
    accountIds.push(id);
    schedule.now += 1;
  }
  const keepers: Session[] = [];
  for (let n = 0; n < KEEPERS; n++) {
    const userid = `keeper${n}`;
    const { id, mid } = await accounts.create({ userid, password: `password of ${userid}`, displayName: userid });
    keepers.push(await open(id, mid));
  }
  gateway.alive = false;
  await store.close();
  const copy = join(folder, 'image.db');
  copyFileSync(path, copy);
  switchSealingOff(copy, accountIds);
  return { path: copy, time: schedule.now + 1000, ...{ sessions, observers, guests, keepers }, userids, accountIds };
}

/** Switches Letter Sealing off for the accounts of the workload, because its model compares plain texts. */
function switchSealingOff(path: string, accountIds: readonly number[]): void {
  const database = new DatabaseSync(path);
  const insert = database.prepare('insert into settings (account_id, sealing_off) values (?, 1)');
  for (const id of accountIds) insert.run(id);
  database.close();
}
