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

type AsyncMethods<T> = { readonly [K in keyof T]: (...args: never[]) => Promise<unknown> };

/** Returns an object whose methods first load the object that does the work. It is made once. */
export function deferred<T extends AsyncMethods<T>>(load: () => Promise<T>): T {
  let loading: Promise<T> | undefined;
  const target = (): Promise<T> => {
    loading ??= loaded(load()).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const call = async (name: string, args: readonly never[]): Promise<unknown> =>
    (await target())[name as keyof T](...args);
  return new Proxy({} as T, {
    // `await` treats an object with a `then` method as a promise, so the proxy must not have such a method.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then' ? undefined : (...args: never[]) => call(name, args),
  });
}
