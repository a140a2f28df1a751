// Reads the content of a report, which a client wrote. It may have any form, so every part is checked.
import { useLingui } from '@lingui/react/macro';
import { contentTypes, spammerReasons } from '@sealpost/contract';
import { withoutTurns } from '../../words/shown-name.ts';

export interface ReportedMessage {
  readonly id: string;
  readonly text: string;
  /** The number of the content type. */
  readonly type: number | undefined;
  /** The name of a file that was sent. */
  readonly file: string | undefined;
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
      .map(({ messageId, message, contentType, metadata, createdTime }, place) => ({
        id: textIn(messageId) ?? String(place),
        text: textIn(message) ?? '',
        type: typeof contentType === 'number' ? contentType : undefined,
        file: isObject(metadata) ? textIn(metadata.FILE_NAME) : undefined,
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

/** Returns the function that names what a message has instead of a text. */
export function useContentName(): (message: ReportedMessage) => string {
  const { t } = useLingui();
  const names: Readonly<Record<number, string>> = {
    [contentTypes.IMAGE]: t`Picture`,
    [contentTypes.VIDEO]: t`Video`,
    [contentTypes.AUDIO]: t`Voice message`,
    [contentTypes.STICKER]: t`Sticker`,
    [contentTypes.CONTACT]: t`Contact`,
    [contentTypes.FILE]: t`File`,
    [contentTypes.LOCATION]: t`Place`,
  };
  return ({ type = contentTypes.NONE, file }) => {
    const name = names[type];
    if (name === undefined) return t`a message without text`;
    return file === undefined ? name : `${name}: ${withoutTurns(file)}`;
  };
}
