// Wake-ups between the processes that one supervisor runs. They go through the supervisor. Each process sends them over
// the channel that a child process has to its parent.
import type { Bus, WakeKind } from './bus.ts';
import { gatherWakes } from './gathered-wakes.ts';

/** A message that carries a wake-up from a process to the supervisor, or from the supervisor to a process. */
export interface WakeMessage {
  readonly kind: 'wake';
  readonly of: WakeKind;
  readonly accountIds: readonly number[];
}

/** The channel for wake-ups between one process and its supervisor. */
export interface WakeChannel {
  readonly isOpen: () => boolean;
  readonly send: (message: WakeMessage) => void;
  readonly onWake: (listener: (message: WakeMessage) => void) => void;
}

export function createIpcBus(channel: WakeChannel): Bus {
  let closed = false;
  return {
    kind: 'ipc',
    location: 'the supervisor',
    wake: gatherWakes((of, accountIds) => {
      // If the supervisor is gone, the other processes have ended too or are about to end, so nobody needs the wake-up.
      if (!closed && channel.isOpen()) channel.send({ kind: 'wake', of, accountIds });
    }),
    onWake(listener) {
      channel.onWake(({ of, accountIds }) => {
        if (!closed) for (const accountId of accountIds) listener(of, accountId);
      });
    },
    async check() {
      if (!channel.isOpen()) throw new Error('the supervisor is gone');
    },
    async close() {
      closed = true;
    },
  };
}
