// Makes the server answer the next stream of an account with fullSync: its log has no such revision.
import type { ClientStore } from '@sealpost/sdk';
import { sealedRows } from '../src/store/sealed-rows.ts';

export async function loseTheLog({ mid }: { readonly mid: string }, store: ClientStore): Promise<void> {
  const open = await store.state.open(mid);
  const rows = store.state.lasting ? await sealedRows(open, store.keyStore, mid) : open;
  await rows.commit([{ key: 'cursor/me', value: JSON.stringify({ revision: '999999999' }) }]);
  await rows.close();
}
