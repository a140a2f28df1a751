// Clients that are logged in, with a replica. They are closed after the tests of the file.
import { after } from 'node:test';
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import { type Client, type ClientOptions, createClient, memoryStore } from '@sealpost/sdk';

const clients: Client[] = [];

after(async () => {
  for (const client of clients) await client.close();
});

/** Returns a new client of a user, whose replica is up to date. */
export async function opened(
  server: Pick<TestServer, 'url'>,
  user: TestUser,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const store = options.store ?? memoryStore();
  await store.session.save((await user.session()).session);
  const client = createClient({ url: server.url, ...options, store });
  clients.push(client);
  await client.open();
  await client.synced();
  return client;
}
