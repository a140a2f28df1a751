// What the engine says about this browser and its session.
import type { SessionEvent } from '@sealpost/sdk';
import type { Status } from './protocol.ts';

/** Returns why a session ended that nobody ended here. */
export const whyEnded = (reason: Extract<SessionEvent, { kind: 'ended' }>['reason']): Status['ended'] =>
  reason?.error === 'SESSION_LOGGED_OUT' ? 'revoked' : 'expired';

/** The name of this browser in the list of sessions. */
export function deviceName(): string {
  const { userAgent } = navigator;
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser';
  const system =
    ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name)) ?? '';
  return `Sealpost web (${[browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ')})`;
}
