// The dev profile's accounts: there from the first start, with passwords that everybody may know.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { RunningServer } from './server.ts';

export interface DevAccount {
  readonly userid: string;
  readonly password: string;
  readonly mid: string;
}

const names = ['alice', 'bob', 'carol'] as const;

/** Makes what is missing and writes `dev-accounts.json` into the data folder, for the command line. */
export async function seedDevAccounts({ slices }: RunningServer, config: Config): Promise<DevAccount[]> {
  const seeded: DevAccount[] = [];
  for (const userid of names) {
    const password = `${userid}-sealpost`;
    const displayName = userid[0]?.toUpperCase() + userid.slice(1);
    const account =
      (await slices.accounts.show(userid)) ?? (await slices.accounts.create({ userid, password, displayName }));
    seeded.push({ userid, password, mid: account.mid });
  }
  writeFileSync(join(config.dataDir, 'dev-accounts.json'), `${JSON.stringify(seeded, null, 2)}\n`, { mode: 0o600 });
  return seeded;
}
