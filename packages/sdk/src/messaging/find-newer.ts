import type { Message } from '@sealpost/contract';
import { type HistoryClient, historyPages } from '../sealing/history-pages.ts';

/** Finds the newest message that is newer than the message with the id `after`; any message if no id is given. */
export async function findNewer(
  client: HistoryClient,
  chatMid: string,
  { after = '0', pageSize }: { readonly after?: string | undefined; readonly pageSize: number },
  isWanted: (message: Message) => boolean,
): Promise<Message | undefined> {
  for await (const page of historyPages(client, chatMid, { pageSize })) {
    const newer = page.filter(({ id }) => Number(id) > Number(after));
    const found = newer.find(isWanted);
    if (found || newer.length < page.length) return found;
  }
  return undefined;
}
