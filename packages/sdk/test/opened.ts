// Clients that are logged in, with a replica. They are closed when their server is.
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import { type Client, type ClientOptions, createClient, memoryStore } from '@sealpost/sdk';

/** Returns a new client of a user, whose replica is up to date. */
export async function opened(
  server: Pick<TestServer, 'url' | 'atEnd'>,
  user: TestUser,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const store = options.store ?? memoryStore();
  await store.session.save((await user.session()).session);
  const client = createClient({ url: server.url, ...options, store });
  server.atEnd(() => client.close());
  await client.open();
  await client.synced();
  return client;
}
