// The listeners of an event. A listener that throws stops neither the other listeners nor the code that calls `tell`.

export type Listener<T> = (value: T) => void;

export class Listeners<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly #failed: (error: unknown) => void;

  /** @param failed gets what a listener throws, or rejects with */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Adds a listener. Returns a function that removes the listener. */
  add(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls all listeners. Does not throw. */
  tell(value: T): void {
    for (const listener of this.#listeners) {
      try {
        // A listener may be an async function, although nobody waits for it.
        const result: unknown = listener(value);
        if (result instanceof Promise) result.catch(this.#failed);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
