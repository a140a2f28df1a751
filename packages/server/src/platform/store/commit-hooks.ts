/** Runs the hooks of a commit. The commit is already durable, so a hook that throws must not stop the other hooks. */
export function runHooks(hooks: readonly (() => void)[], onError: (error: Error) => void): void {
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      onError(new Error('a hook failed after its commit', { cause: error }));
    }
  }
}
