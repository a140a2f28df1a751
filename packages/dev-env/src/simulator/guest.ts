// A guest of a simulation: a second session of an account, which reads and follows the log until the account's device
// ends the session. After that, no gateway may serve it.
import type { Timer } from '@sealpost/contract/ports';
import { createRpcClient, GatewayError, type RpcClient, type Session } from '@sealpost/sdk';
import { seededRandom } from '@sealpost/testing/seeded-random';
import { type ActorDeps, repeated } from './actor.ts';
import type { Device } from './device.ts';
import { GUEST } from './judge.ts';
import type { Process } from './schedule.ts';

/** Most milliseconds between two calls, before and after the end of the session. */
const MOST_PAUSE_MS = 200;
const LATER_PAUSE_MS = 900;
/** Number of answered calls before the session may be ended, so that several gateways know the session. */
const SERVED = 6;
/** Milliseconds for which the guest goes on after its session was ended, before all gateways start again. */
const WATCHED_MS = 8_000;

export interface GuestDeps extends ActorDeps {
  /** Called when a gateway refuses the session because it has ended. */
  readonly onRefused: () => void;
}

const notAtAll: Timer = { cancel: () => {} };

export class Guest {
  readonly process: Process = { name: GUEST, alive: true };
  readonly #host: Device;
  readonly #sessionId: string;
  readonly #deps: GuestDeps;
  readonly #client: RpcClient;
  #served = 0;
  #state: 'here' | 'ending' | 'ended' = 'here';

  constructor(host: Device, session: Session, deps: GuestDeps) {
    const { seed, schedule, network } = deps;
    const timers = schedule.timersOf(this.process);
    this.#host = host;
    this.#sessionId = session.tokens.loginSessionId;
    this.#deps = deps;
    this.#client = createRpcClient({
      ...{ url: 'http://gateway.test', session, clock: schedule.clock },
      fetch: network.fetchOf(this.process, host.account),
      timers: {
        ...timers,
        // A token is used until it expires, so that gateways keep it in memory. After the end, a renewal is tried too.
        after: (ms, run, options) => (options?.background && this.#state === 'here' ? notAtAll : timers.after(ms, run)),
      },
      random: seededRandom(`${seed} guest`),
    });
  }

  /** True while the session is being ended, and shortly after. */
  get isBusy(): boolean {
    return this.#state === 'ending';
  }

  start(): void {
    void this.#follow();
    void this.#read();
  }

  close(): void {
    this.process.alive = false;
    this.#client.close();
  }

  /** Lets the device of the account end the session, as a user does who tries again after each failure. */
  async end(): Promise<void> {
    const { moves, judge, note } = this.#deps;
    if (this.#state !== 'here' || this.#served < SERVED || moves.next('end of the guest') === undefined) return;
    this.#state = 'ending';
    await repeated(this.#deps, this.#host, async ({ rpc }) => {
      await rpc.PrimaryDeviceService.revokeSession({ loginSessionId: this.#sessionId }).catch((error: unknown) => {
        // An earlier try ended the session, and its answer was lost.
        if (!(error instanceof GatewayError && error.error === 'NOT_FOUND')) throw error;
      });
    });
    note('the guest is ended');
    judge.endedGuest();
    await this.#deps.schedule.sleep(WATCHED_MS, this.#deps.world);
    this.#state = 'ended';
  }

  /** Follows the log, as long as the session lives. */
  async #follow(): Promise<void> {
    try {
      for await (const _ of this.#client.operations({ from: '0' }));
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Makes a call again and again, also after a refusal: another gateway must refuse it too. */
  async #read(): Promise<void> {
    const { schedule, random } = this.#deps;
    for (let last = this.#client.session; this.process.alive && last; last = this.#client.session ?? last) {
      if (!this.#client.session) await this.#client.resume(last);
      await this.#client.TalkService.getProfile().then(
        () => this.#served++,
        (error: unknown) => this.#refused(error),
      );
      const most = this.#state === 'here' ? MOST_PAUSE_MS : LATER_PAUSE_MS;
      await schedule.sleep(random.below(most), this.process);
    }
  }

  #refused(error: unknown): void {
    if (error instanceof GatewayError && error.error === 'SESSION_LOGGED_OUT') this.#deps.onRefused();
  }
}
