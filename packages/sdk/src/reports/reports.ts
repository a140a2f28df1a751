// Reports of abuse to the operator.
import {
  applicationTypes,
  type Contact,
  type MethodArgs,
  midPrefix,
  reportSources,
  spammerReasons,
} from '@sealpost/contract';
import { pagesOf } from '../gateway/pages.ts';
import type { StoredMessage } from '../replica/tables.ts';
import type { RpcClient } from '../rpc-client.ts';

/** The reason for a report: a name in `spammerReasons`. */
export type ReportReason = keyof typeof spammerReasons;

export interface ReportsDeps {
  readonly rpc: Pick<RpcClient, 'TalkService'>;
  /** Returns what is known of a user here. It becomes part of a report of the user. */
  readonly contactOf?:
    | ((mid: string) => Pick<Contact, 'displayName' | 'statusMessage' | 'picturePath'> | undefined)
    | undefined;
}

type ReportedMessage = Pick<
  StoredMessage,
  'id' | 'text' | 'from' | 'to' | 'contentType' | 'createdTime' | 'contentMetadata'
>;
type Report = MethodArgs<'TalkService.reportAbuseEx'>[0]['abuseReportEntry']['message'];

/** The maximum number of messages in one report. */
const MESSAGES = 100;

export class Reports {
  readonly #deps: ReportsDeps;

  constructor(deps: ReportsDeps) {
    this.#deps = deps;
  }

  /** Reports a user, without messages. */
  user(mid: string, reasons: readonly ReportReason[]): Promise<void> {
    return this.#send(mid, { reportSource: reportSources.FRIEND_PROFILE, spammerReasons: numbersOf(reasons) });
  }

  /**
   * Reports messages, with separate reports for each sender. The operator gets the texts of the messages. The texts of
   * sealed messages are those that this device has opened.
   */
  async messages(messages: readonly ReportedMessage[], reasons: readonly ReportReason[]): Promise<void> {
    const bySender = Map.groupBy(messages, ({ from, to }) => `${from} ${sourceOf(to)}`);
    for (const reported of bySender.values()) {
      for (const [first, ...rest] of pagesOf(reported, MESSAGES)) {
        if (!first) continue;
        await this.#send(first.from, {
          reportSource: sourceOf(first.to),
          spammerReasons: numbersOf(reasons),
          abuseMessages: [first, ...rest].map(abuseMessage),
        });
      }
    }
  }

  async #send(mid: string, about: Report): Promise<void> {
    const { rpc, contactOf } = this.#deps;
    const { displayName, statusMessage, picturePath } = contactOf?.(mid) ?? {};
    const metadata = {
      userMid: mid,
      ...(displayName !== undefined && { displayName }),
      ...(statusMessage !== undefined && { statusMessage }),
      ...(picturePath !== undefined && { picturePath }),
    };
    const message = { applicationType: applicationTypes.CHROMEOS, ...about, metadata };
    await rpc.TalkService.reportAbuseEx({ abuseReportEntry: { message } });
  }
}

const numbersOf = (reasons: readonly ReportReason[]) => reasons.map((reason) => spammerReasons[reason]);

function sourceOf(chatMid: string) {
  if (chatMid.startsWith(midPrefix.room)) return reportSources.ROOM_CHAT_SELECTED;
  return chatMid.startsWith(midPrefix.group) ? reportSources.GROUP_CHAT_SELECTED : reportSources.DIRECT_CHAT_SELECTED;
}

const abuseMessage = ({ id, text, from, contentType, createdTime, contentMetadata }: ReportedMessage) => ({
  messageId: id,
  senderMid: from,
  contentType,
  createdTime,
  metadata: contentMetadata,
  ...(text !== undefined && { message: text }),
});
