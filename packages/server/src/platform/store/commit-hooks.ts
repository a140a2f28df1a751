/** Runs what waited for a commit. That is durable whatever they do: one that throws must keep nobody from his turn. */
export function runHooks(hooks: readonly (() => void)[], onError: (error: Error) => void): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      onError(new Error('a hook failed after its commit', { cause: error }));
    }
  }
}
