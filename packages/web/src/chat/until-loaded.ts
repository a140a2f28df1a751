// Asks for something that the page needs until it comes, for times without a connection.

/** Milliseconds after which something that did not come is asked for again. */
const AGAIN_MS = 3_000;

/** Calls a function until it succeeds. After the signal is aborted, its next failure ends this. */
export async function untilLoaded<T>(load: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (signal?.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return untilLoaded(load, signal);
  }
}
