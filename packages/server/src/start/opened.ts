/** The parts that the start of a server has opened. They are closed in reverse order. */
export interface Opened {
  /** Adds a part to the list of parts to close, and returns the part. */
  add<P extends { close(): unknown }>(part: P): P;
  /** Closes all parts, also if one cannot be closed. Rejects with the first failure then. */
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
      const failures: unknown[] = [];
      for (const part of parts.splice(0).reverse()) {
        try {
          await part.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
