// The time that a long poll may wait in milliseconds: what the client asks for, within the limits.
import { limits, plainHeaders } from '@sealpost/contract';

const HEADER = plainHeaders.longPollTime.name.toLowerCase();
const MS = /^\d{1,9}$/;

export function pollWindow(call: { header(name: string): string | undefined }, usual: number): number {
  const asked = call.header(HEADER) ?? '';
  const ms = MS.test(asked) ? Number(asked) : usual;
  return Math.min(Math.max(ms, limits.longPollMinMs.value), limits.longPollMaxMs.value);
}
