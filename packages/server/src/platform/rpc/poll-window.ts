// Milliseconds that a long poll may wait: the time that the client requests, kept within the limits.
import { limits, plainHeaders } from '@sealpost/contract';

const HEADER = plainHeaders.longPollTime.name.toLowerCase();
const MS = /^\d{1,9}$/;

export function pollWindow(call: { header(name: string): string | undefined }, usual: number): number {
  const asked = call.header(HEADER) ?? '';
  const ms = MS.test(asked) ? Number(asked) : usual;
  return Math.min(Math.max(ms, limits.longPollMinMs.value), limits.longPollMaxMs.value);
}
