// A cache with a largest number of entries, which drops the longest unused ones first. LRUCache with a number of
// entries allocates room for all of them at once. With a size it grows as needed, so each entry here has the size 1.
import { LRUCache } from 'lru-cache';

type Disposer<K, V> = (value: V, key: K) => void;

export const growingCache = <K extends {}, V extends {}>(most: number, dispose?: Disposer<K, V>): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) });
