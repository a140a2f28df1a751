// A cache of at most so many entries, the longest unused of which go first. LRUCache given a number of entries reserves
// room for all of them at once; given a size it grows, and each entry here has the size one.
import { LRUCache } from 'lru-cache';

type Disposer<K, V> = (value: V, key: K) => void;

export const growingCache = <K extends {}, V extends {}>(most: number, dispose?: Disposer<K, V>): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) });
