// The network, the clock, the timers and the randomness of a run. A run tests a real server, so these are the ports of the machine.
import { drawUuid } from '@sealpost/contract/ports';
import { systemPorts } from '@sealpost/sdk';

export const { clock, timers, fetch } = systemPorts;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => timers.after(ms, resolve));

export const randomBytes = (length: number): Buffer<ArrayBuffer> => Buffer.from(systemPorts.random.bytes(length));

export const randomUuid = (): string => drawUuid(systemPorts.random);
