// A cache with a maximum number of entries. A full cache drops the least recently used entry. LRUCache allocates room
// for a maximum number of entries at once, but grows as needed if it has a maximum size. So this cache has a maximum
// size, and each entry has the size 1.
import { LRUCache } from 'lru-cache';

type Disposer<K, V> = (value: V, key: K) => void;

export const growingCache = <K extends {}, V extends {}>(most: number, dispose?: Disposer<K, V>): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) });
