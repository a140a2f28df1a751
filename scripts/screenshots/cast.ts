// The people in the screenshots. Each has an account and a client in this program, in addition to the browsers.
import type { TestServer, TestUser } from '@sealpost/dev-env/harness';
import { sealingUser } from '@sealpost/dev-env/sealing-user';
import { type Client, createClient } from '@sealpost/sdk';
import { type Portrait, portrait } from './art.ts';
import type { StoryClock } from './fixed.ts';

interface Role {
  readonly name: string;
  readonly status?: string;
  readonly portrait?: Portrait;
  readonly official?: boolean;
}

/** All people by a short name. The screenshots show Maya's screens. */
const roles = {
  maya: { name: 'Maya Lindqvist', status: 'Mostly near the water', portrait: 'hills' },
  sakura: { name: '山田 さくら', status: '散歩とお茶 🍵', portrait: 'leaf' },
  anong: { name: 'อนงค์ ศรีสุข', status: 'กินข้าวหรือยัง' },
  leo: { name: 'Leo Fontaine', portrait: 'wheel' },
  wilhelmina: { name: 'Wilhelmina Hammonds' },
  meihua: { name: '林美華', status: '週末愛爬山', portrait: 'tower' },
  ben: { name: 'Ben Okafor', status: 'Back on Monday', portrait: 'mug' },
  ines: { name: 'Inês Duarte' },
  omar: { name: 'عمر خليل' },
  ruth: { name: 'Ruth Abelson', status: 'Ask me about bees' },
  priya: { name: 'Priya Raman' },
  nils: { name: 'Nils Bergström' },
  tom: { name: 'Tom 🚲' },
  library: { name: 'City Library', status: 'Open until 20:00', official: true },
} as const satisfies Readonly<Record<string, Role>>;

export type Who = keyof typeof roles;
const everybody = Object.keys(roles) as Who[];

export interface Cast {
  /** The account that is logged in to the browsers. */
  readonly account: TestUser;
  readonly client: Readonly<Record<Who, Client>>;
  readonly mid: Readonly<Record<Who, string>>;
  close(): Promise<void>;
}

/** Creates the accounts with pictures and status messages, and makes all others contacts of Maya. */
export async function gather(server: TestServer, clock: StoryClock): Promise<Cast> {
  const users = {} as Record<Who, TestUser>;
  const client = {} as Record<Who, Client>;
  const mid = {} as Record<Who, string>;
  for (const who of everybody) {
    const role: Role = roles[who];
    users[who] = await server.user(role.name, role.official ? 'official' : 'user');
    mid[who] = users[who].mid;
  }
  for (const who of everybody) {
    const { userid, password, client: first } = users[who];
    // Maya gets an old device whose key is lost.
    if (who === 'maya') await sealingUser(users.maya);
    await first.logout();
    client[who] = createClient({ url: server.url, clock });
    await client[who].login({ identifier: userid, password, systemName: who === 'maya' ? 'Maya’s phone' : 'Phone' });
    if (who !== 'maya') await client[who].sealing.ownKey();
    await dress(client[who], roles[who]);
  }
  for (const who of everybody.filter((other) => other !== 'maya')) {
    await client.maya.contacts.add(mid[who]);
    if (who !== 'library') await client[who].contacts.add(mid.maya);
  }
  return {
    account: users.maya,
    client,
    mid,
    close: async () => void (await Promise.all(everybody.map((who) => client[who].close()))),
  };
}

async function dress({ profile }: Client, { status, portrait: drawn }: Role): Promise<void> {
  if (status !== undefined) await profile.setStatusMessage(status);
  if (drawn) await profile.setPicture(await portrait(drawn));
}
