// Makes many logins at once. All passwords are right. So each login costs the server a key, the check of a password and
// a new session.
import { createRpcClient, GatewayError } from '@sealpost/sdk';
import { credentialOf } from './gateway.ts';

export interface StormOrder {
  readonly kind: 'storm';
  readonly port: number;
  readonly users: number;
  readonly inFlight: number;
  readonly ms: number;
}

export interface StormMeasure {
  readonly loginsPerSecond: number;
  /** The number of logins per second that were refused because the queue was full. */
  readonly refusedPerSecond: number;
}

export async function runStorm({ port, users, inFlight, ms }: StormOrder): Promise<StormMeasure> {
  const begun = performance.now();
  const counts = { loginsPerSecond: 0, refusedPerSecond: 0 };
  let next = 0;
  async function slot(): Promise<void> {
    while (performance.now() - begun < ms) {
      const client = createRpcClient({ url: `http://127.0.0.1:${port}` });
      try {
        await client.login(credentialOf(next++ % users));
        counts.loginsPerSecond += 1;
      } catch (error) {
        if (!(error instanceof GatewayError && error.error === 'SERVER_BUSY')) throw error;
        counts.refusedPerSecond += 1;
      } finally {
        client.close();
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, slot));
  const seconds = (performance.now() - begun) / 1000;
  return {
    loginsPerSecond: counts.loginsPerSecond / seconds,
    refusedPerSecond: counts.refusedPerSecond / seconds,
  };
}
