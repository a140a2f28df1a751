// Uploads of a simulation. A device sends objects in parts, asks how far the server is, and goes on there, as a client
// does whose connections break. It leaves some objects unfinished.
import { createHash } from 'node:crypto';
import { type Client, GatewayError } from '@sealpost/sdk';
import { createRandom, type Random, splitRandom } from '../workload/random.ts';
import { type ActorDeps, repeated } from './actor.ts';
import type { Device } from './device.ts';

const OBJECTS = 3;
const MOST_BYTES = 150_000;
const MOST_PAUSE_MS = 700;

/** An upload that the server acknowledged. */
export interface Uploaded {
  readonly oid: string;
  readonly hash: string;
}

export interface UploaderDeps extends ActorDeps {
  /** Called when an upload goes on after a failure with a part of its bytes there. */
  readonly onResumed: () => void;
}

/** An object that is being sent. */
interface Sending {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly random: Random;
  /** Number of bytes that the server has acknowledged. */
  acknowledged: number;
  /** True after a failed request. */
  failed: boolean;
}

export class Uploader {
  readonly uploaded: Uploaded[] = [];
  readonly #device: Device;
  readonly #deps: UploaderDeps;
  #left = OBJECTS;

  constructor(device: Device, deps: UploaderDeps) {
    this.#device = device;
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#left > 0;
  }

  start(): void {
    void this.#uploadAll();
  }

  async #uploadAll(): Promise<void> {
    const { random, schedule, world, moves } = this.#deps;
    for (; this.#left > 0; this.#left -= 1) {
      await schedule.sleep(random.below(MOST_PAUSE_MS), world);
      const own = splitRandom(random);
      if (moves.next('upload') !== undefined) await this.#upload(`reqid-object-${this.#left}`, own);
    }
  }

  async #upload(name: string, random: Random): Promise<void> {
    const { note, onResumed } = this.#deps;
    const bytes = drawBytes(random);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const sending: Sending = { name, bytes, hash, random, acknowledged: 0, failed: false };
    const stopsAt = random.oneIn(4) ? random.below(bytes.length) : Number.POSITIVE_INFINITY;
    const onFailure = (): void => {
      sending.failed = true;
    };
    while (sending.acknowledged < stopsAt) {
      const uploaded = await repeated(this.#deps, this.#device, (client) => this.#sendNext(client, sending), onFailure);
      if (sending.failed && sending.acknowledged > 0) onResumed();
      sending.failed = false;
      if (!uploaded) continue;
      note('uploaded', uploaded);
      this.uploaded.push(uploaded);
      if (uploaded.hash !== hash)
        this.#deps.judge.violated('objects', `the object ${name} has the hash ${uploaded.hash}, not ${hash}`);
      return;
    }
    note('upload left', name);
  }

  /** Sends the next part. Returns the object when it is complete. */
  async #sendNext({ rpc }: Client, sending: Sending): Promise<Uploaded | undefined> {
    const { name, bytes, random, acknowledged } = sending;
    const path = { service: 'talk', sid: 'emf', oid: name };
    const info = await rpc.http.objectInfo(path).catch((error: unknown) => {
      // The server knows the object only after its first byte.
      if (error instanceof GatewayError && (error.http === 404 || error.http === 400)) return undefined;
      throw error;
    });
    if (info?.status === 'exist') return { oid: info.oid ?? '', hash: info.hash ?? '' };
    const from = info?.offset ?? 0;
    if (from < acknowledged)
      this.#deps.judge.violated('objects', `${name} has ${from} bytes, ${acknowledged} were acknowledged`);
    const end = Math.min(bytes.length, from + 1 + random.below(bytes.length));
    const send = () =>
      rpc.http.directObject(path, {
        method: 'POST',
        headers: { Range: `bytes ${from}-${end - 1}/${bytes.length}` },
        body: bytes.slice(from, end),
      });
    // Some clients try again while their first request is still under way.
    if (random.oneIn(3)) void send().catch(() => {});
    const { headers } = await send();
    sending.acknowledged = Number(headers.get('x-obs-offset'));
    const hash = headers.get('x-obs-hash');
    return hash === null ? undefined : { oid: headers.get('x-obs-oid') ?? '', hash };
  }
}

function drawBytes(random: Random): Uint8Array<ArrayBuffer> {
  const numbers = createRandom(random.below(2 ** 31));
  return Uint8Array.from({ length: 1 + random.below(MOST_BYTES) }, () => numbers.below(256));
}
