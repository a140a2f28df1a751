// Keeps the media that the page has loaded, with their object URLs. When all media together are larger than a limit,
// those that no component shows are dropped, the least recently used first.
import type { MediaProblem } from './media-problem.ts';

export type MediaEntry =
  /** No component needs these media now. */
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly url: string; readonly blob: Blob }
  /** There is nothing to load, for example because there is no preview. */
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly problem: MediaProblem };

export interface MediaShelfDeps {
  readonly mostBytes: number;
  createUrl(blob: Blob): string;
  revokeUrl(url: string): void;
  problemOf(error: unknown): MediaProblem | undefined;
}

type Load = () => Promise<Blob | undefined>;

interface Place {
  entry: MediaEntry;
  users: number;
}

const NONE: MediaEntry = { state: 'none' };

export class MediaShelf {
  readonly #deps: MediaShelfDeps;
  /** The media by key, the least recently used first. */
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<() => void>();

  constructor(deps: MediaShelfDeps) {
    this.#deps = deps;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the state of the media with a key. It stays the same object until it changes. */
  get(key: string): MediaEntry {
    return this.#places.get(key)?.entry ?? NONE;
  }

  /** Loads media unless they are loaded already. They are not dropped until the returned function is called. */
  hold(key: string, load: Load): () => void {
    const place = this.#use(key);
    place.users += 1;
    if (place.entry.state === 'none') void this.#load(key, place, load);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      place.users -= 1;
      // A failure is forgotten when the last component releases the media. The next component then tries again.
      if (place.users === 0 && place.entry.state === 'failed' && this.#places.get(key) === place) {
        this.#places.delete(key);
      }
      this.#giveUp();
    };
  }

  /** Tries again to load media that failed, were absent or were called off. */
  retry(key: string, load: Load): void {
    const place = this.#use(key);
    if (place.entry.state !== 'loading' && place.entry.state !== 'ready') void this.#load(key, place, load);
  }

  /** Adds media that need no loading, such as a picture that was just sent. */
  put(key: string, blob: Blob): void {
    if (this.get(key).state === 'ready') return;
    this.#set(this.#use(key), { state: 'ready', url: this.#deps.createUrl(blob), blob });
    this.#giveUp();
  }

  /** Drops all media, as is needed after a logout. */
  clear(): void {
    for (const { entry } of this.#places.values()) if (entry.state === 'ready') this.#deps.revokeUrl(entry.url);
    this.#places.clear();
    this.#tell();
  }

  #use(key: string): Place {
    const place = this.#places.get(key) ?? { entry: NONE, users: 0 };
    this.#places.delete(key);
    this.#places.set(key, place);
    return place;
  }

  async #load(key: string, place: Place, load: Load): Promise<void> {
    this.#set(place, { state: 'loading' });
    try {
      const blob = await load();
      if (this.#places.get(key) !== place) return;
      this.#set(place, blob ? { state: 'ready', url: this.#deps.createUrl(blob), blob } : { state: 'absent' });
      this.#giveUp();
    } catch (error) {
      if (this.#places.get(key) !== place) return;
      const problem = this.#deps.problemOf(error);
      // If there is no problem, the user has cancelled the download.
      this.#set(place, problem ? { state: 'failed', problem } : NONE);
      if (place.users === 0) this.#places.delete(key);
    }
  }

  #set(place: Place, entry: MediaEntry): void {
    place.entry = entry;
    this.#tell();
  }

  #giveUp(): void {
    let bytes = 0;
    for (const { entry } of this.#places.values()) if (entry.state === 'ready') bytes += entry.blob.size;
    for (const [key, { entry, users }] of this.#places) {
      if (bytes <= this.#deps.mostBytes) return;
      if (entry.state !== 'ready' || users > 0) continue;
      bytes -= entry.blob.size;
      this.#deps.revokeUrl(entry.url);
      this.#places.delete(key);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
