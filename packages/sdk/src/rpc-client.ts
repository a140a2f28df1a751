import type { BaseClient, Message, OutgoingMessage, SendOptions } from './base-client.ts';
import type { Channels } from './channels.ts';
import { deferred } from './deferred.ts';
import { createDevices } from './devices/index.ts';
import { createGateway, createServices } from './gateway/calls.ts';
import type { HttpCalls } from './gateway/http-calls.ts';
import { type ClientPorts, eitherOf, withSystemPorts } from './gateway/ports.ts';
import { createReqSeq } from './gateway/req-seq.ts';
import type { Session, SessionStorage } from './gateway/session.ts';
import { type KeyStore, memoryKeyStore } from './key-store/key-store.ts';
import { createEntry } from './login/entry.ts';
import { createMedia, type Media } from './media/index.ts';
import type { MediaSealing } from './media/media-sealing.ts';
import { memoryUploadStore, type UploadStore } from './media/upload-store.ts';
import { draftOf } from './messaging/draft.ts';
import { sendMessage } from './messaging/send-message.ts';
import { type OperationsOptions, operations, type StreamEvent } from './operations.ts';
import { createOwnAccount } from './own-account/index.ts';
import { createTrust } from './trust/trust.ts';

export interface RpcClientOptions extends Partial<ClientPorts> {
  /** The address of the gateway, for example `http://127.0.0.1:8787`. */
  readonly url: string;
  /** The secret for signatures: one of the server's `SEALPOST_BUILD_TOKENS`. */
  readonly buildToken?: string;
  /** The brand in header names: the server's `SEALPOST_HEADER_BRAND`. */
  readonly brand?: string;
  /** The locale with an underscore, for example `en_US`. */
  readonly locale?: string;
  /** The session of an earlier run, to continue it without a login. */
  readonly session?: Session;
  /** Keeps the session between runs. The client writes it after login, renewal and logout. */
  readonly storage?: SessionStorage;
  /**
   * Keeps the account's key pairs on this device. With a key store, a login asks for the key pairs of the account. An
   * approval of another device's login sends the key pairs to that device.
   */
  readonly keyStore?: KeyStore;
  /** The address of object storage, if it is not the address of the gateway. */
  readonly objectsUrl?: string;
  /**
   * Keeps the state of unfinished uploads, so that a later run can continue them. Without a store, uploads can continue
   * only as long as this client exists.
   */
  readonly uploads?: UploadStore;
}

export interface RpcClient extends BaseClient {
  /**
   * Returns the functions that send and read images, videos, sounds and files. With a sealing client, media are sealed
   * in chats that use Letter Sealing; without one, all media are plain.
   */
  media(sealing?: MediaSealing): Media;
}

const HTTP_CALLS = [
  'notices',
  'uploadProfile',
  'copyForMessage',
  'homeId',
  'getCover',
  'updateCover',
  'directObject',
  'objectInfo',
  'playback',
] as const;

/** @throws TypeError if `url` is not an address of a server */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const ports = withSystemPorts(options);
  const locale = options.locale ?? 'en_US';
  const gateway = createGateway(
    { url: options.url, buildToken: options.buildToken ?? 'sealpost-dev', brand: options.brand ?? 'Svc', locale },
    ports,
    options.storage,
  );
  const { session } = gateway;
  const keyStore = options.keyStore ?? memoryKeyStore();
  const trust = createTrust({ gateway, keyStore, clock: ports.clock, onListenerError: ports.onListenerError });
  const { storage } = deferred(['storage'], async () => {
    const { createObjectStorage } = await import('./media/object-storage.ts');
    return { storage: createObjectStorage(gateway, options.objectsUrl ?? options.url, locale, ports) };
  });
  const channels: Channels = deferred(
    ['token', 'withToken'],
    async () => new (await import('./channels.ts')).ChannelTokens(gateway, ports.clock),
  );
  const http: HttpCalls = deferred(HTTP_CALLS, async () =>
    (await import('./gateway/http-calls.ts')).createHttpCalls({ gateway, storage, channels, ports }),
  );
  const uploads = options.uploads ?? memoryUploadStore();
  const closing = new AbortController();
  const nextReqSeq = createReqSeq(ports.clock);
  // No `await` is needed here. With `save: false`, begin() waits for nothing, and it sets the renewal timer before it
  // returns.
  if (options.session) void session.begin(options.session, { save: false });

  const untilClosed = (signal?: AbortSignal): AbortSignal => eitherOf(closing.signal, signal);

  const entry = createEntry({
    ...{ gateway, ports, keyStore, untilClosed },
    wantsKeys: options.keyStore !== undefined,
    entered: () => trust.checkNowAndThen(),
  });

  async function* read(readOptions: OperationsOptions): AsyncGenerator<StreamEvent, void, undefined> {
    trust.checkNowAndThen();
    for await (const event of operations(gateway, ports, locale, readOptions)) {
      if (event.kind === 'operation') trust.heard(event.operation);
      yield event;
    }
  }

  async function send(message: OutgoingMessage, { reqSeq = nextReqSeq() }: SendOptions = {}): Promise<Message> {
    const draft = draftOf(message, { reqSeq, own: session.current?.mid, now: ports.clock.now() });
    return sendMessage(gateway, ports, draft, closing.signal);
  }

  return {
    ...createServices(gateway),
    http,
    channels,
    ...entry,
    get session() {
      return session.current;
    },
    devices: createDevices(gateway, keyStore),
    ownAccount: createOwnAccount({ gateway, ports, keyStore, nextReqSeq, closing: closing.signal }),
    keyStore,
    trust,
    recovery: deferred(['status', 'backup', 'restore'], async () =>
      (await import('./key-backup/recovery.ts')).createRecovery(trust.account),
    ),
    resume: (stored) => session.begin(stored, { save: false }),
    onSession: (listener) => session.listen(listener),
    nextReqSeq,
    send,
    media: (sealing) => createMedia({ gateway, http, locale, ports, storage, uploads, sealing, nextReqSeq }),
    sendText: (to, text) => send({ to, text, contentType: 0 }),
    operations: ({ signal, ...rest } = {}) => read({ ...rest, signal: untilClosed(signal) }),
    close() {
      closing.abort();
      session.close();
    },
  };
}
