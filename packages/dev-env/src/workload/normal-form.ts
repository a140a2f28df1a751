// Replaces the parts of a server's answers that differ from run to run. Mids and ids become numbers, and times become a
// word.
import type { Player } from './calls.ts';

const MID = /[ucr][0-9a-f]{32}/g;
const ID = /(?<![\w-])\d{12,}(?![\w-])/g;
const TIME = /(time|millis|timestamp)$/i;

export interface NormalForm {
  of(value: unknown): unknown;
}

/**
 * Creates the function that replaces mids, ids and times. Ids are numbered in the order in which they are first seen,
 * so equal histories get equal numbers.
 */
export function createNormalForm(players: readonly Player[], chatMids: ReadonlyMap<number, string>): NormalForm {
  const names = new Map<string, string>();
  players.forEach((player, i) => {
    names.set(player.mid, `user ${i}`).set(player.userid, `userid ${i}`);
  });
  for (const [command, mid] of chatMids) names.set(mid, `chat ${command}`);
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const known = ids.get(id) ?? `id ${ids.size}`;
    ids.set(id, known);
    return known;
  };
  const textOf = (text: string): string =>
    names.get(text) ?? text.replace(MID, (mid) => names.get(mid) ?? 'unknown').replace(ID, idOf);

  function of(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return TIME.test(key) && value.length > 11 ? 'a time' : textOf(value);
    if (typeof value === 'number') return value > 1e11 ? 'a number' : value;
    if (Array.isArray(value)) return value.map((item) => of(item, key));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [textOf(name), item] as const);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, item]) => [name, of(item, name)]));
  }
  return { of };
}
