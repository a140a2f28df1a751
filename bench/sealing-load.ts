// Measures the cost of Letter Sealing for a client: sealed and plain sends through the SDK, and sealing alone.
import { contentTypes } from '@sealpost/contract';
import {
  createKeyMaterial,
  createKeyPair,
  type MessageKeys,
  openMedia,
  openMessage,
  sealMedia,
  sealMessage,
  sharedSecret,
} from '@sealpost/crypto';
import { createRpcClient, createSealingClient, type SealingClient } from '@sealpost/sdk';
import { credentialOf } from './gateway.ts';

export interface SealingOrder {
  readonly kind: 'sealing';
  readonly port: number;
  readonly inFlight: number;
  /** The duration of each measurement in milliseconds. */
  readonly ms: number;
  readonly mediaBytes: number;
}

/** The rate of an action, and the processor time that all threads of the client's process need for one. */
export interface Rate {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

export interface SealingMeasure {
  readonly plain: Rate;
  readonly sealed: Rate;
  readonly seal: Rate;
  readonly open: Rate;
  readonly openBySdk: Rate;
  readonly sealMediaMbPerSecond: number;
  readonly openMediaMbPerSecond: number;
}

const TEXT = 'x'.repeat(200);
const MB = 1e6;
const CHUNK = 64 * 1024;
/** The indexes of the users who send sealed messages. The users of `PLAIN` send plain messages. */
const SEALED = [0, 1] as const;
const PLAIN = [2, 3] as const;

export async function runSealing({ port, inFlight, ms, mediaBytes }: SealingOrder): Promise<SealingMeasure> {
  const [anna, bert] = [await logIn(port, SEALED[0]), await logIn(port, SEALED[1])];
  const [carl, dora] = [await logIn(port, PLAIN[0]), await logIn(port, PLAIN[1])];
  // The accounts may have keys from an earlier round, whose private parts are lost. So each account gets a new key.
  for (const { sealing } of [anna, bert]) await sealing.renewOwnKey();
  const { message, sealed } = await anna.sealing.sendText(bert.mid, TEXT);
  if (!sealed) throw new Error('a message between two that seal went in the clear');
  const [delivered] = await bert.client.TalkService.getMessagesByIds([message.id]);
  if (!delivered) throw new Error('a message that was sent is not there');
  const measure = {
    plain: await rateOf(inFlight, ms, () => carl.client.sendText(dora.mid, TEXT)),
    sealed: await rateOf(inFlight, ms, () => anna.sealing.sendText(bert.mid, TEXT)),
    ...(await cryptoRates(ms)),
    openBySdk: await rateOf(1, ms, async () => {
      const { sealing } = await bert.sealing.open(delivered);
      if (sealing.state !== 'opened') throw new Error('a message that was sealed does not open');
    }),
    ...(await mediaRates(mediaBytes)),
  };
  for (const { client } of [anna, bert, carl, dora]) client.close();
  return measure;
}

async function logIn(port: number, number: number) {
  const client = createRpcClient({ url: `http://127.0.0.1:${port}` });
  const { mid } = await client.login(credentialOf(number));
  const sealing: SealingClient = createSealingClient(client);
  return { client, mid, sealing };
}

async function rateOf(inFlight: number, ms: number, work: () => Promise<unknown>): Promise<Rate> {
  // The first call is not measured, because it also opens connections and creates keys.
  await work();
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let count = 0;
  async function slot(): Promise<void> {
    while (performance.now() - begun < ms) {
      await work();
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, slot));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / ((performance.now() - begun) / 1000), cpuMicros: (user + system) / count };
}

async function cryptoRates(ms: number): Promise<Pick<SealingMeasure, 'seal' | 'open'>> {
  const [own, other] = [createKeyPair(), createKeyPair()];
  const keys: MessageKeys = {
    sharedSecret: sharedSecret(own.privateKey, other.publicKey),
    senderKeyId: 1,
    receiverKeyId: 2,
  };
  const parties = { to: `u${'a'.repeat(32)}`, from: `u${'b'.repeat(32)}`, contentType: contentTypes.NONE } as const;
  const chunks = await sealMessage(keys, parties, { text: TEXT });
  return {
    seal: await rateOf(1, ms, () => sealMessage(keys, parties, { text: TEXT })),
    open: await rateOf(1, ms, () => openMessage(keys, { ...parties, chunks })),
  };
}

async function mediaRates(
  bytes: number,
): Promise<Pick<SealingMeasure, 'sealMediaMbPerSecond' | 'openMediaMbPerSecond'>> {
  const keyMaterial = createKeyMaterial();
  const plain = Array.from({ length: Math.ceil(bytes / CHUNK) }, () => new Uint8Array(CHUNK));
  const sealed: Uint8Array<ArrayBuffer>[] = [];
  const sealSeconds = await secondsOf(sealMedia(keyMaterial, plain), (chunk) => sealed.push(chunk));
  const openSeconds = await secondsOf(openMedia(keyMaterial, sealed), () => {});
  const megabytes = (plain.length * CHUNK) / MB;
  return { sealMediaMbPerSecond: megabytes / sealSeconds, openMediaMbPerSecond: megabytes / openSeconds };
}

async function secondsOf<T>(stream: AsyncIterable<T>, take: (chunk: T) => void): Promise<number> {
  const begun = performance.now();
  for await (const chunk of stream) take(chunk);
  return (performance.now() - begun) / 1000;
}
