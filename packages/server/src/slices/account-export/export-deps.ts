// The functions and counts that the parts of an export share.
import type { Clock } from '@sealpost/contract/ports';
import type { AccountExport } from '@sealpost/contract/schemas';
import { type Handlers, RawJson, type UserCall } from '../../platform/rpc/call.ts';
import type { Media } from '../media/index.ts';

/** The reads of an export. */
export type Reads = Pick<
  Handlers,
  | `TalkService.get${'Profile' | 'Settings' | 'AllContactIds' | 'FavoriteMids' | 'BlockedContactIds' | 'ContactsV2'}`
  | `TalkService.get${'AllChatMids' | 'Chats' | 'MessageBoxes' | 'E2EEPublicKeys' | 'RecentMessagesV2' | 'MessageReadRange'}`
  | 'TalkService.getPreviousMessagesV2WithRequest'
  | 'PrimaryDeviceService.getSessions'
  | 'ShopService.getOwnedProductSummaries'
>;

export interface ExportDeps {
  readonly clock: Clock;
  readonly reads: Reads;
  /** Returns the bytes of an object, as they are stored. */
  readonly stored: Media['stored'];
  /** Returns the name of the object that is the cover of an account; undefined if the account has no cover. */
  readonly coverOf: (accountId: number) => Promise<string | undefined>;
}

type Counts = { -readonly [N in keyof AccountExport['counts']]: AccountExport['counts'][N] };

/** The state of one export while it runs. */
export interface ExportRun extends ExportDeps {
  readonly call: UserCall;
  readonly counts: Counts;
}

/** Waits for the answer of a handler, which may be JSON text. */
export async function answerOf<T>(answer: T | RawJson | Promise<T | RawJson>): Promise<T> {
  const given = await answer;
  return given instanceof RawJson ? JSON.parse(given.json) : given;
}
