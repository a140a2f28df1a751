// Reads everything that an account can see, as the files of an archive. Messages and media are streamed, so an archive
// may be larger than the memory.
import type { AccountExport, ExportedChat } from '@sealpost/contract';
import { accountExportReadme } from '@sealpost/contract/account-export-readme';
import { eitherOf, withSystemPorts } from '../gateway/ports.ts';
import { exportChat } from './export-chat.ts';
import {
  type ExportEntry,
  type ExportOptions,
  type ExportRun,
  type ExportSource,
  jsonEntry,
  textEntry,
} from './export-deps.ts';
import { exportPictures } from './export-pictures.ts';
import { readAccount } from './read-account.ts';

/**
 * Yields the files of an archive of the logged-in account. First comes README.txt, then the media and messages of each
 * chat. The last one is account.json, which describes them. An archive without it is incomplete.
 *
 * Nothing changes on the server. Messages that this device cannot open stay sealed. No keys are exported.
 * @throws GatewayError, NetworkError; the reason of the signal
 */
export async function* exportAccount(
  source: ExportSource,
  { locale = 'en_US', signal, onProgress, ...given }: ExportOptions = {},
): AsyncGenerator<ExportEntry, void, undefined> {
  const over = new AbortController();
  const me = source.rpc.session?.mid;
  if (me === undefined) throw new Error('Nobody is logged in: log in before you export the account.');
  const counts = { messages: 0, sealedMessages: 0, media: 0, mediaBytes: 0, missingMedia: 0 };
  const chats: ExportedChat[] = [];
  let all = 0;
  const run: ExportRun = {
    ...{ rpc: source.rpc, sealing: source.sealing, me, counts },
    ports: withSystemPorts(given),
    signal: eitherOf(over.signal, signal),
    report: () => onProgress?.({ chats: { done: chats.length, all }, ...counts }),
  };
  try {
    yield textEntry('README.txt', accountExportReadme('account'));
    const { chats: found, ...account } = await readAccount(run, locale);
    all = found.length;
    run.report();
    const pictures = yield* exportPictures(run, account.profile);
    for (const chat of found) {
      chats.push(yield* exportChat(run, chat));
      run.report();
    }
    const manifest: AccountExport = {
      format: 'account-export',
      formatVersion: 1,
      by: 'account',
      exportedTime: new Date(run.ports.clock.now()).toISOString(),
      mid: me,
      ...account,
      pictures,
      chats,
      counts,
    };
    yield jsonEntry('account.json', manifest);
  } finally {
    // Ends a download whose file the caller did not read to its end.
    over.abort();
  }
}
