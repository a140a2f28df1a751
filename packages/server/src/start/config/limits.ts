// Settings of limits: adjustable limits of the protocol, limits of failed attempts, and rate limits.
import {
  type FailureLimits,
  failureLimits,
  type Limits,
  limits,
  type RateLimit,
  rateLimits,
  type SettableLimit,
} from '@sealpost/contract';
import type { RateSettings } from '../../platform/rpc/rate-limit.ts';
import { type Setting, setting } from './setting.ts';
import { integer, refused, type SettingValue } from './setting-value.ts';

interface Range {
  readonly least: number;
  readonly most: number;
  /**
   * The factor from the setting to the limit, for example 3,600,000 if the setting is in hours and the limit in
   * milliseconds.
   */
  readonly unit?: number;
  readonly in?: string;
}

/** The allowed range of each setting that changes a limit. The range is in the unit of the setting. */
const ranges: { readonly [N in SettableLimit]: Range } = {
  operationDays: { least: 1, most: 36_500 },
  operationCount: { least: 100, most: 1_000_000_000 },
  chatMembers: { least: 2, most: 5_000 },
  streamBytes: { least: 2 ** 20, most: 2 ** 40 },
  answerBytes: { least: 2 ** 26, most: 2 ** 40 },
  unsendWindowMs: { least: 0, most: 8_760, unit: 3_600_000, in: ', in hours' },
  accessTokenMs: { least: 1, most: 8_760, unit: 3_600_000, in: ', in hours' },
  renewalDueMs: { least: 1, most: 8_760, unit: 3_600_000, in: ', in hours' },
  registrationsPerAddress: { least: 1, most: 1_000_000 },
  registrationsPerDay: { least: 1, most: 1_000_000 },
  challengeWork: { least: 1, most: 10_000_000 },
  adminIdleMs: { least: 1, most: 10_080, unit: 60_000, in: ', in minutes' },
  adminSessionMs: { least: 1, most: 720, unit: 3_600_000, in: ', in hours' },
};
const settableLimits = Object.keys(ranges) as SettableLimit[];
const unitOf = (name: SettableLimit): number => ranges[name].unit ?? 1;
const failureNames = Object.keys(failureLimits) as (keyof FailureLimits)[];
const failureSetting = (name: string): string =>
  `failures-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const rateEntries = Object.entries<RateLimit>(rateLimits);

export const limitSettings: readonly Setting[] = [
  ...settableLimits.map((name) =>
    setting(
      limits[name].setting,
      String(limits[name].value / unitOf(name)),
      limits[name].doc + (ranges[name].in ?? ''),
    ),
  ),
  ...failureNames.map((name) => {
    const { free, windowSec, delaySec, longestDelaySec, doc } = failureLimits[name];
    return setting(
      failureSetting(name),
      `${free}/${windowSec}+${delaySec}..${longestDelaySec}`,
      `${doc}: free ones/seconds of the window+first delay..longest delay`,
    );
  }),
  ...rateEntries.map(([name, { burst, perSecond, doc, per }]) =>
    setting(
      `rate-${name}`,
      `${burst}+${Number(perSecond.toPrecision(3))}`,
      `${doc}: burst+per second, per ${per} and server`,
    ),
  ),
];

/** The limits that this server enforces. */
export function limitsOf(of: (name: string) => SettingValue): Limits {
  const changed = settableLimits.map((name) => {
    const { least, most } = ranges[name];
    return [name, { value: integer(of(limits[name].setting), least, most) * unitOf(name) }];
  });
  return { ...limits, ...(Object.fromEntries(changed) as Pick<Limits, SettableLimit>) };
}

export function failureLimitsOf(of: (name: string) => SettingValue): FailureLimits {
  const entries = failureNames.map((name) => [name, failureLimitOf(of(failureSetting(name)))]);
  return Object.fromEntries(entries) as FailureLimits;
}

function failureLimitOf(given: SettingValue): FailureLimits[keyof FailureLimits] {
  const parts = /^(\d{1,9})\/(\d{1,9})\+(\d{1,9})\.\.(\d{1,9})$/.exec(given.value)?.slice(1).map(Number);
  const [free = 0, windowSec = 0, delaySec = 0, longestDelaySec = 0] = parts ?? [];
  if (free >= 1 && delaySec >= 1 && longestDelaySec >= delaySec && windowSec >= longestDelaySec) {
    return { free, windowSec, delaySec, longestDelaySec };
  }
  throw refused(given, 'free/window+delay..longest delay in seconds, for example 10/86400+60..1200');
}

function rateOf(given: SettingValue): { burst: number; perSecond: number } {
  const [burst, perSecond] = given.value.split('+').map(Number);
  if (burst !== undefined && perSecond !== undefined && burst >= 1 && perSecond > 0) return { burst, perSecond };
  throw refused(given, 'burst+per second, for example 2000+100');
}

export const ratesOf = (of: (name: string) => SettingValue): RateSettings =>
  Object.fromEntries(rateEntries.map(([name]) => [name, rateOf(of(`rate-${name}`))]));
