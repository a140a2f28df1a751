// Parts of the SDK that are loaded at their first use, so that a page loads less code when it starts. Only parts that
// need the server anyway are loaded this way. So a page without a connection still has all the code that works without
// one.
import { NetworkError } from './gateway/errors.ts';

/**
 * Waits for a part that is being loaded, and returns it. If the part cannot be loaded, throws the same error as for a
 * server that does not answer. The outbox then keeps the message that needed the part.
 * @throws NetworkError if the part cannot be loaded
 */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw new NetworkError('loading a part of the program', 'where the program came from', cause);
  }
}

type Method = (...args: never[]) => Promise<unknown>;

/**
 * Returns an object with these methods. The first call of a method loads the object that does the work, and all later
 * calls use that object.
 * @param names the methods of the object
 */
export function deferred<T extends { readonly [K in N]: Method }, const N extends string>(
  names: readonly N[],
  load: () => Promise<T>,
): Pick<T, N>;
export function deferred(names: readonly string[], load: () => Promise<Readonly<Record<string, Method>>>): object {
  let loading: ReturnType<typeof load> | undefined;
  const target = (): ReturnType<typeof load> => {
    loading ??= loaded(load()).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const methodOf =
    (name: string): Method =>
    async (...args) =>
      (await target())[name]?.(...args);
  return Object.fromEntries(names.map((name) => [name, methodOf(name)]));
}
