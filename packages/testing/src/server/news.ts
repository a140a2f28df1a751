// Reports what happens on a test server to listeners, such as the inspector.
import type { WorkbenchEvent } from '@sealpost/contract/workbench';

export interface News {
  tell(event: WorkbenchEvent): void;
  /** Adds a listener. Returns the function that removes it. */
  listen(listener: (event: WorkbenchEvent) => void): () => void;
  readonly hasListeners: boolean;
}

export function createNews(): News {
  const listeners = new Set<(event: WorkbenchEvent) => void>();
  return {
    tell(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get hasListeners() {
      return listeners.size > 0;
    },
  };
}
