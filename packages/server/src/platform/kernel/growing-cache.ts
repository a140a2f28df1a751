// A cache with a maximum number of entries. A full cache drops the least recently used entry. With a maximum number,
// LRUCache would allocate room for all entries at once; with a maximum size, it grows as needed. So this cache sets a
// maximum size, and each entry has the size 1.
import { LRUCache } from 'lru-cache';

type Disposer<K, V> = (value: V, key: K) => void;

export const growingCache = <K extends {}, V extends {}>(most: number, dispose?: Disposer<K, V>): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) });
