// Transfers of objects, and the memory that the first login takes.
import { logIn } from '../gateway.ts';
import { measureTransfers, type TransferPlan } from '../media-transfers.ts';
import { residentKib, settled } from '../process-usage.ts';
import type { TransferResult } from '../report-media.ts';
import type { User } from '../request.ts';
import { type Bench, say } from './bench.ts';

const TRANSFERS: Readonly<Record<'quick' | 'full', Omit<TransferPlan, 'rounds'>>> = {
  quick: { inFlight: 4, megabytes: 25, crowd: { inFlight: 50, megabytes: 5 } },
  full: { inFlight: 4, megabytes: 250, crowd: { inFlight: 50, megabytes: 100 } },
};

export async function measureObjects(bench: Bench): Promise<TransferResult> {
  const { load, prepared, rounds, quick } = bench;
  const gateway = await bench.start(bench.copyOf(prepared.folder));
  const user = prepared.users[0] as User;
  await settled(gateway.pid);
  const plan = { rounds, ...TRANSFERS[quick ? 'quick' : 'full'] };
  const result = await measureTransfers(load, { gateway, user, folder: bench.newFolder() }, plan, say);
  await settled(gateway.pid);
  const before = residentKib(gateway.pid);
  await logIn(gateway, 0);
  await settled(gateway.pid);
  return { ...result, loginMib: (residentKib(gateway.pid) - before) / 1024 };
}
