/** Runs the hooks of a commit. It is durable whatever they do, so one that throws must not stop the others. */
export function runHooks(hooks: readonly (() => void)[], onError: (error: Error) => void): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      onError(new Error('a hook failed after its commit', { cause: error }));
    }
  }
}
