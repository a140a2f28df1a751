// The chain of handlers: each gets the event, and decides whether those behind it get it too.

/** Hands the event to the handlers that were added later. Resolves when they have ended. */
export type Next = () => Promise<void>;

/** A step of the chain, for everything of type `C`. */
export type Middleware<C> = (context: C, next: Next) => unknown;

/** Returns one step that runs the steps in order. */
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
