// Reads the content of a report, which a client wrote. It may have any form, so every part is checked.
import { useLingui } from '@lingui/react/macro';
import { spammerReasons } from '@sealpost/contract';

export interface ReportedMessage {
  readonly id: string;
  readonly text: string;
  readonly time: number | undefined;
}

export interface ReportContent {
  /** The numbers of the reasons for the report. */
  readonly names: readonly number[];
  /** The reported person's name for the reporter. */
  readonly name: string | undefined;
  readonly messages: readonly ReportedMessage[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the parts of a report that the pages show. */
export function contentOf(report: unknown): ReportContent {
  const { spammerReasons, metadata, abuseMessages } = isObject(report) ? report : {};
  return {
    names: listIn(spammerReasons).filter((reason) => typeof reason === 'number'),
    name: isObject(metadata) ? textIn(metadata.displayName) : undefined,
    messages: listIn(abuseMessages)
      .filter(isObject)
      .map(({ messageId, message, createdTime }, place) => ({
        id: textIn(messageId) ?? String(place),
        text: textIn(message) ?? '',
        time: Number(createdTime) > 0 ? Number(createdTime) : undefined,
      })),
  };
}

/** Returns the function that names reasons, which are numbers of the protocol. */
export function useReasons(): (reasons: readonly number[]) => string {
  const { t } = useLingui();
  const names: Readonly<Record<number, string>> = {
    [spammerReasons.OTHER]: t`Another reason`,
    [spammerReasons.ADVERTISING]: t`Advertising`,
    [spammerReasons.GENDER_HARASSMENT]: t`Sexual harassment`,
    [spammerReasons.HARASSMENT]: t`Harassment`,
    [spammerReasons.IMPERSONATION]: t`Impersonation`,
    [spammerReasons.SCAM]: t`A scam`,
  };
  return (reasons) => reasons.map((reason) => names[reason] ?? t`Reason ${reason}`).join(', ');
}
