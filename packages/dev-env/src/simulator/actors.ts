// The clients of a simulation: the devices of the users, and what goes on beside their commands.
import { splitRandom } from '../workload/random.ts';
import type { ActorDeps } from './actor.ts';
import { Device } from './device.ts';
import type { Faults } from './faults.ts';
import { Guest } from './guest.ts';
import type { Image } from './image.ts';
import { KeyLog } from './key-log.ts';
import { present } from './present.ts';
import { SealedGroup } from './sealed-group.ts';
import { Uploader } from './uploader.ts';

export interface ActorsDeps extends ActorDeps {
  readonly faults: Faults;
}

export class Actors {
  readonly devices: readonly Device[];
  readonly uploader: Uploader;
  readonly keyLog: KeyLog;
  readonly guest: Guest;
  readonly sealedGroup: SealedGroup;

  constructor(image: Image, deps: ActorsDeps) {
    const { judge, random, faults } = deps;
    // Each has a generator of its own, so that a run without some moves still draws the others.
    const own = (): ActorDeps => ({ ...deps, random: splitRandom(random) });
    this.devices = image.sessions.map(
      (session, account) =>
        new Device(account, session, {
          ...deps,
          onError: (error) => judge.violated('no-fault', `a listener of client ${account} failed: ${error}`),
          onEnded: (reason) => judge.violated('sessions', `client ${account} was logged out: ${reason}`),
        }),
    );
    this.uploader = new Uploader(random.pick(this.devices), {
      ...own(),
      onResumed: () => faults.saw('upload resumed'),
    });
    this.keyLog = new KeyLog(this.devices, own());
    const host = random.pick(this.devices);
    this.guest = new Guest(host, present(image.guests[host.account], 'guest'), {
      ...own(),
      onRefused: () => faults.saw('ended session refused'),
    });
    this.sealedGroup = new SealedGroup(image.keepers, {
      ...own(),
      onChanged: () => faults.saw('group key refused after a race'),
    });
  }

  /** True while one of them has begun what it must end. */
  get areBusy(): boolean {
    return [this.uploader, this.keyLog, this.guest, this.sealedGroup].some(({ isBusy }) => isBusy);
  }

  async start(): Promise<void> {
    for (const device of this.devices) await device.start();
    this.guest.start();
    this.uploader.start();
    this.keyLog.start();
    this.sealedGroup.start();
  }

  close(): void {
    for (const device of this.devices) device.process.alive = false;
    this.guest.close();
    this.sealedGroup.close();
  }
}
