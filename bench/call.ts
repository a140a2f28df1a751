// Makes calls over a minimal HTTP connection, so that the client costs as little processor time as possible.
import type { MethodName } from '@sealpost/contract';
import { type Connection, openConnection } from './connection.ts';
import { callRequest, keyOf, type User } from './request.ts';

export type Call = <T>(method: MethodName, ...args: readonly unknown[]) => Promise<T>;

/**
 * Opens one connection for one user. A call fails if the server refuses it, or if the connection is lost before the
 * answer arrives.
 * @param answered called with each request and the length of its answer
 */
export async function openCalls(
  port: number,
  user: User,
  answered: (request: string, bytes: number) => void = () => {},
): Promise<{ call: Call; close(): void }> {
  let fail: (error: Error) => void = () => {};
  const connection: Connection = await openConnection(port, (error) => fail(error));
  const key = keyOf(user);
  return {
    call: <T>(method: MethodName, ...args: readonly unknown[]) =>
      new Promise<T>((resolve, reject) => {
        fail = reject;
        const request = callRequest(user, key, method, args);
        connection.send(request, (status, body) => {
          answered(request, body.length);
          if (status === 200) resolve((JSON.parse(body) as { data: T }).data);
          else reject(new Error(`${method} was answered ${status}: ${body.slice(0, 300)}`));
        });
      }),
    close: () => connection.close(),
  };
}
