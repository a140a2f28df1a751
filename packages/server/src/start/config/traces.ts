// The settings of traces: the collector, and how many traces it gets.
import { httpAddress, refused, type SettingValue } from './setting-value.ts';

export interface TracesConfig {
  /** The address of the collector, without `/v1/traces`. */
  readonly url: string;
  /** The share of the traces that are sent, from 0 to 1. */
  readonly ratio: number;
}

const PATH = /\/v1\/traces$/;

/** Returns the settings of traces; undefined if no traces are wanted. */
export function tracesOf(of: (name: string) => SettingValue): TracesConfig | undefined {
  const share = of('traces-ratio');
  const ratio = Number(share.value);
  if (share.value.trim() === '' || !(ratio >= 0 && ratio <= 1)) throw refused(share, 'a number from 0 to 1');
  const url = httpAddress(of('traces-url'), 'http://127.0.0.1:4318');
  // Some guides give the address with the path, others without the path. Both forms are accepted.
  return url === undefined ? undefined : { url: url.replace(PATH, ''), ratio };
}
