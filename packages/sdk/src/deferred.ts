// Parts of the SDK that are loaded at their first use, so that a page begins with less. Only what needs the server
// anyway is deferred: without a connection, a page must not miss a part of itself.
import { NetworkError } from './gateway/errors.ts';

/**
 * Returns a part that is being loaded. A part that cannot be loaded is reported like a server that does not answer, so
 * that the outbox keeps the message which needed it.
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
 * Returns an object with these methods, which first load the object that does the work. It is made once.
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
