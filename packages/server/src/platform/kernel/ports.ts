// What the server takes from its surroundings, beside time, timers and chance; only the adapters in this folder touch
// the ambient ones.
import type { Ports } from '@sealpost/contract/ports';

/**
 * A named point where a crash must lose nothing. Does nothing in production; a test makes it kill the process.
 */
export type CrashPoint = (name: CrashPointName) => void;

/** Those that a mutating call passes. */
export const callCrashPoints = [
  'request.validated',
  'transaction.before-begin',
  'transaction.written',
  'transaction.committed',
  'operations.published',
] as const;
/** Those that an upload passes, beside those of its transactions. */
export const uploadCrashPoints = ['upload.noted', 'upload.written', 'upload.published', 'upload.recorded'] as const;
export type CrashPointName = (typeof callCrashPoints | typeof uploadCrashPoints)[number];

export interface ServerPorts extends Ports {
  readonly crashPoint: CrashPoint;
}
