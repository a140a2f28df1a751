// Facts about this browser: its name, why its session ended, and whether its clock is right.
import type { Client, SessionEvent } from '@sealpost/sdk';
import { browserName } from '../../words/browser-name.ts';
import type { Status } from './protocol.ts';

/** Returns why the session ended, if this browser did not log out itself. */
export const whyEnded = (reason: Extract<SessionEvent, { kind: 'ended' }>['reason']): Status['ended'] =>
  reason?.accountDeleted ? 'deleted' : reason?.error === 'SESSION_LOGGED_OUT' ? 'revoked' : 'expired';

/** Returns the name of this browser for the list of sessions. */
export const deviceName = (): string => `Sealpost web (${browserName(navigator.userAgent)})`;

const SAME_TIME_MS = 2 * 60_000;

/** Returns by how many milliseconds this device's clock is ahead of the server's; undefined if they roughly agree. */
export async function clockAhead(server: Pick<Client, 'serverTime'>, now: () => number): Promise<number | undefined> {
  const asked = now();
  const time = await server.serverTime();
  const ahead = (asked + now()) / 2 - time;
  return Math.abs(ahead) > SAME_TIME_MS ? ahead : undefined;
}
