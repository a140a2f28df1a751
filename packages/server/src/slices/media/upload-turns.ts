// Lets only one upload per name run at a time. A newer upload ends the older one, because usually the client lost its
// connection and the server has not noticed yet.

/** Receives the function that ends the running upload early. */
export type OnCut = (cut: () => void) => void;

export interface UploadTurns {
  /** Returns the number of running uploads. */
  running(): number;
  /** Ends an older upload of this name, waits until it is over, then runs `work`. */
  alone<T>(name: string, work: (onCut: OnCut) => Promise<T>): Promise<T>;
}

export function createUploadTurns(): UploadTurns {
  const turns = new Map<string, { cut(): void; readonly over: Promise<void> }>();
  return {
    running: () => turns.size,
    async alone(name, work) {
      for (let other = turns.get(name); other; other = turns.get(name)) {
        other.cut();
        await other.over;
      }
      let cut = () => {};
      const { promise: over, resolve } = Promise.withResolvers<void>();
      turns.set(name, { cut: () => cut(), over });
      try {
        return await work((how) => {
          cut = how;
        });
      } finally {
        turns.delete(name);
        resolve();
      }
    },
  };
}
