// Keys of a simulation. Devices register public keys, and an auditor without a login checks the key log again and again.
// The log may only grow, and its signed heads cover its entries.
import { type AuditedKeyLog, auditKeyLog, createRpcClient, KeyLogError, type RpcClient } from '@sealpost/sdk';
import { seededRandom } from '@sealpost/testing/seeded-random';
import { type ActorDeps, repeated } from './actor.ts';
import type { Device } from './device.ts';
import { never } from './schedule.ts';

const KEYS = 4;
const KEY_BYTES = 32;
const MOST_PAUSE_MS = 900;

export class KeyLog {
  readonly #devices: readonly Device[];
  readonly #deps: ActorDeps;
  readonly #client: RpcClient;
  /** The acknowledged keys: their bytes in base64, by id. */
  readonly #registered = new Map<number, string>();
  #audited: AuditedKeyLog | undefined;
  #left = KEYS;

  constructor(devices: readonly Device[], deps: ActorDeps) {
    const { seed, schedule, network, world } = deps;
    this.#devices = devices;
    this.#deps = deps;
    this.#client = createRpcClient({
      ...{ url: 'http://gateway.test', clock: schedule.clock },
      fetch: network.fetchOf(world, 0),
      timers: schedule.timersOf(world),
      random: seededRandom(`${seed} auditor`),
    });
  }

  get isBusy(): boolean {
    return this.#left > 0;
  }

  start(): void {
    void this.#registerAll();
    void this.#watch();
  }

  /** Audits the log for the last time. Every acknowledged key must be in it, with the id of the acknowledgement. */
  async check(): Promise<void> {
    await this.#audit();
    const { judge } = this.#deps;
    const entries = await this.#client.KeyTransparencyService.getEntries({ after: 0 });
    const found = new Map(entries.map(({ keyId, keyData }) => [keyId, keyData]));
    for (const [id, data] of this.#registered)
      if (found.get(id) !== data) judge.violated('key-log', `the acknowledged key ${id} is not in the log`);
    if (new Set(found.values()).size < entries.length)
      judge.violated('key-log', 'a registration that was repeated added a second key');
    if (this.#audited?.treeSize !== entries.length)
      judge.violated('key-log', `the log has ${entries.length} entries, its head ${this.#audited?.treeSize}`);
  }

  async #registerAll(): Promise<void> {
    const { schedule, random, world, moves } = this.#deps;
    for (; this.#left > 0; this.#left -= 1) {
      await schedule.sleep(random.below(MOST_PAUSE_MS), world);
      const keyData = Buffer.from(Array.from({ length: KEY_BYTES }, () => random.below(256))).toString('base64');
      const device = random.pick(this.#devices);
      if (moves.next('key') === undefined) continue;
      const { keyId } = await repeated(this.#deps, device, ({ rpc }) =>
        rpc.TalkService.registerE2EEPublicKey(rpc.nextReqSeq(), { version: 1, keyId: 0, keyData }),
      );
      this.#registered.set(keyId, keyData);
    }
  }

  async #watch(): Promise<never> {
    const { schedule, random, world } = this.#deps;
    while (world.alive) {
      await schedule.sleep(random.below(MOST_PAUSE_MS), world);
      await this.#audit().catch((error: unknown) => {
        if (error instanceof KeyLogError) this.#deps.judge.violated('key-log', error.message);
      });
    }
    return never();
  }

  async #audit(): Promise<void> {
    this.#audited = await auditKeyLog(this.#client.KeyTransparencyService, this.#audited);
  }
}
