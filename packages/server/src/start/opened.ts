/** The parts that a start has opened. They are closed in the reverse order. */
export interface Opened {
  /** Adds a part to those that will be closed, and returns it. */
  add<P extends { close(): unknown }>(part: P): P;
  close(): Promise<void>;
}

export function createOpened(): Opened {
  const parts: { close(): unknown }[] = [];
  return {
    add(part) {
      parts.push(part);
      return part;
    },
    async close() {
      for (const part of parts.splice(0).reverse()) await part.close();
    },
  };
}
