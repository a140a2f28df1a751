// The functions that the server gets from its environment, besides clock, timers and randomness. Only the adapters in
// this folder use the environment directly.
import type { Ports } from '@sealpost/contract/ports';
import type { SlowWorks } from './slow-crypto-worker.ts';

/**
 * Marks a named point of the code: a crash at this point must lose nothing. In production, the function does nothing.
 * In a test, the function may kill the process.
 */
export type CrashPoint = (name: CrashPointName) => void;

/** Crash points that a changing call passes. */
export const callCrashPoints = [
  'request.validated',
  'transaction.before-begin',
  'transaction.written',
  'transaction.committed',
  'operations.published',
] as const;
/** Crash points that an upload passes, besides the crash points of its transactions. */
export const uploadCrashPoints = ['upload.noted', 'upload.written', 'upload.published', 'upload.recorded'] as const;
export type CrashPointName = (typeof callCrashPoints | typeof uploadCrashPoints)[number];

/** RSA and the hashing of passwords, which occupy a processor for tens of milliseconds. */
export type SlowCrypto = {
  readonly [Name in keyof SlowWorks]: (...args: Parameters<SlowWorks[Name]>) => Promise<ReturnType<SlowWorks[Name]>>;
};

export interface ServerPorts extends Ports {
  readonly crashPoint: CrashPoint;
  readonly slowCrypto: SlowCrypto;
}
