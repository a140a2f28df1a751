// The chain of handlers. Each handler gets the event, and decides whether the later handlers get it too.

/** Hands the event to the handlers that were added later. Resolves when they have ended. */
export type Next = () => Promise<void>;

/** A step of the chain. It gets contexts of type `C`. */
export type Middleware<C> = (context: C, next: Next) => unknown;

/** Returns a function that runs the steps in order. `last` runs if every step calls `next`. */
export function chainOf<C>(steps: readonly Middleware<C>[]): (context: C, last: Next) => Promise<void> {
  return (context, last) => {
    const run = async (index: number): Promise<void> => {
      const step = steps[index];
      if (!step) return last();
      let called = false;
      await step(context, () => {
        if (called) throw new Error('a handler called next() twice');
        called = true;
        return run(index + 1);
      });
    };
    return run(0);
  };
}
