// The worker's side of the messages between supervisor and worker.
import type { Timers } from '@sealpost/contract/ports';
import type { Bus } from '../../platform/bus/bus.ts';
import type { WakeChannel, WakeMessage } from '../../platform/bus/ipc.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import { NotReady, PART_OK } from '../readiness.ts';
import type { FromWorker, Place, ToWorker } from './messages.ts';
import { createQuestions } from './questions.ts';
import type { Siblings } from './siblings.ts';

/** Milliseconds that a worker waits for an answer of the supervisor, which may have to ask the other workers first. */
const LIMIT_MS = 5_000;

/** The channel from a worker to its supervisor. */
export interface SupervisorChannel {
  readonly isOpen: () => boolean;
  /** Sends a message. Resolves when the message has left this process. */
  readonly send: (message: FromWorker) => Promise<void>;
  readonly onMessage: (listener: (message: ToWorker) => void) => void;
}

export interface SupervisorLink {
  /** The data that this worker needs to start. */
  readonly place: Promise<Place>;
  /** Resolves when the supervisor tells this worker to stop. */
  readonly stopped: Promise<{ readonly othersServe: boolean }>;
  readonly tell: (message: FromWorker) => Promise<void>;
  /** @param busOver creates the bus over the channel */
  readonly siblings: (place: Place, busOver: (channel: WakeChannel) => Bus) => Siblings;
}

export function linkToSupervisor(
  channel: SupervisorChannel,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): SupervisorLink {
  const place = Promise.withResolvers<Place>();
  const stopped = Promise.withResolvers<{ readonly othersServe: boolean }>();
  const states = createQuestions<string>(timers, LIMIT_MS);
  const texts = createQuestions<string>(timers, LIMIT_MS);
  const wakeListeners: ((message: WakeMessage) => void)[] = [];
  let metrics: Metrics | undefined;

  async function tellSnapshot(id: number): Promise<void> {
    if (metrics) await channel.send({ kind: 'snapshot-is', id, snapshot: await metrics.snapshot() });
  }
  const tell = (message: FromWorker): Promise<void> => channel.send(message);
  const quietly = (sent: Promise<void>): void =>
    void sent.catch((error: unknown) => logger.warn({ error }, 'the supervisor was not reached'));

  channel.onMessage((message) => {
    if (message.kind === 'place') place.resolve(message.place);
    else if (message.kind === 'stop') stopped.resolve({ othersServe: message.othersServe });
    else if (message.kind === 'wake') for (const listener of wakeListeners) listener(message);
    else if (message.kind === 'snapshot') quietly(tellSnapshot(message.id));
    else if (message.kind === 'works?') quietly(tell({ kind: 'works', id: message.id }));
    else if (message.kind === 'metrics-are') texts.answer(message.id, message.text);
    else states.answer(message.id, message.state);
  });
  quietly(tell({ kind: 'hello' }));

  return {
    place: place.promise,
    stopped: stopped.promise,
    tell,
    siblings: ({ config, secret }, busOver) => ({
      secret,
      bus: busOver({
        isOpen: channel.isOpen,
        send: (message) => quietly(tell(message)),
        onWake: (listener) => void wakeListeners.push(listener),
      }),
      parts: Object.fromEntries(
        Array.from({ length: config.processes }, (_, i) => [
          `process-${i + 1}`,
          async () => {
            const state = await states.ask((id) => quietly(tell({ kind: 'state', id, of: i + 1 })));
            if (state !== PART_OK) throw new NotReady(state, `process ${i + 1} of this server: ${state}`);
          },
        ]),
      ),
      metrics(own) {
        metrics = own;
        return {
          contentType: own.contentType,
          text: () => texts.ask((id) => quietly(tell({ kind: 'metrics', id }))),
        };
      },
    }),
  };
}
