// What the engine says about this browser and its session.
import type { Client, SessionEvent } from '@sealpost/sdk';
import { browserName } from '../safety/browser-name.ts';
import type { Status } from './protocol.ts';

/** Returns why a session ended that nobody ended here. */
export const whyEnded = (reason: Extract<SessionEvent, { kind: 'ended' }>['reason']): Status['ended'] =>
  reason?.error === 'SESSION_LOGGED_OUT' ? 'revoked' : 'expired';

/** The name of this browser in the list of sessions. */
export const deviceName = (): string => `Sealpost web (${browserName(navigator.userAgent)})`;

const SAME_TIME_MS = 2 * 60_000;

/** Returns by how much the clock of this device is ahead of the server's, in milliseconds; undefined if they agree. */
export async function clockAhead(server: Pick<Client, 'serverTime'>, now: () => number): Promise<number | undefined> {
  const asked = now();
  const time = await server.serverTime();
  const ahead = (asked + now()) / 2 - time;
  return Math.abs(ahead) > SAME_TIME_MS ? ahead : undefined;
}
