// Helper functions for the tests of contacts, profiles, notices and reports.
import assert from 'node:assert/strict';
import { type Operation, type OperationTypeName, operationTypes } from '@sealpost/contract';
import { adminRoot } from '@sealpost/contract/admin';
import { createRpcClient, type GatewayError, type RpcClient } from '@sealpost/sdk';
import { type AdminArgs, type AdminClient, createAdminClient } from '@sealpost/sdk/admin';
import type { TestServer } from './harness.ts';

export const failsWith =
  (error: string, reason?: RegExp) =>
  (thrown: unknown): boolean => {
    assert.equal((thrown as GatewayError).error, error);
    if (reason) assert.match((thrown as GatewayError).message, reason);
    return true;
  };

/** Returns an operation as tests expect it, without revision and time. */
export const op = (type: OperationTypeName, reqSeq: number, ...params: string[]) => ({
  type: operationTypes[type],
  reqSeq,
  ...Object.fromEntries(params.map((param, i) => [`param${i + 1}`, param])),
});

export const bare = (operations: readonly Operation[]) =>
  operations.map(({ revision: _revision, createdTime: _createdTime, ...rest }) => rest);

/** Returns an admin client with the server's admin token. */
export const operator = ({ url, adminToken: token }: Pick<TestServer, 'url' | 'adminToken'>): AdminClient =>
  createAdminClient({ url, token });

/**
 * Makes a call of the admin API without the admin client, for tests of the HTTP form itself. Other tests use
 * `operator`.
 */
export async function admin(server: TestServer, method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + adminRoot + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.adminToken}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
}

let made = 0;

/** Creates an account with fields that a usual test user lacks, and logs in. */
export async function account(
  server: TestServer,
  fields: Partial<Pick<AdminArgs<'createAccount'>, 'kind' | 'phone' | 'email' | 'regionCode'>>,
): Promise<{ client: RpcClient; mid: string; userid: string; password: string; close(): void }> {
  made += 1;
  const userid = `special-${made}`;
  const password = `the secret of ${userid}`;
  await operator(server).createAccount({ userid, password, displayName: userid, ...fields });
  const client = createRpcClient({ url: server.url });
  const { mid } = await client.login({ identifier: userid, password });
  return { client, mid, userid, password, close: () => client.close() };
}

/** A mid of the right form that no account has. */
export const nobody = `u${'0'.repeat(32)}`;
