// Questions to another process, each of which waits for its answer.
import type { Timers } from '@sealpost/contract/ports';

export interface Questions<T> {
  /**
   * Sends a question, and returns the answer.
   * @param send sends the question with the given number
   * @throws Error if no answer comes in time
   */
  ask(send: (id: number) => void): Promise<T>;
  /** Passes an answer to its question. An answer that comes too late is dropped. */
  answer(id: number, value: T): void;
}

export function createQuestions<T>(timers: Timers, limitMs: number): Questions<T> {
  const open = new Map<number, (value: T) => void>();
  let count = 0;
  return {
    ask: (send) =>
      new Promise((resolve, reject) => {
        count += 1;
        const id = count;
        const late = timers.after(limitMs, () => {
          open.delete(id);
          reject(new Error(`another process gave no answer within ${limitMs / 1000} s`));
        });
        open.set(id, (value) => {
          late.cancel();
          open.delete(id);
          resolve(value);
        });
        send(id);
      }),
    answer: (id, value) => open.get(id)?.(value),
  };
}
