// A report of abuse as text for the operator. A client wrote its content, so every part of it is checked.
import { contentTypes, spammerReasons } from '@sealpost/contract';
import type { Report } from '@sealpost/sdk/admin';
import { nameOf, typed } from '../../enum-names.ts';
import { minuteText, oneLine } from '../../output.ts';
import { table } from '../../table.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsIn = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a report as a table, with the attached messages below. */
export function reportText(report: Report, nameOfAccount: (mid: string) => string): string {
  const { id, status, resolution, reportedMid, reportedDisabled, reporterMid, createdTime } = report;
  const { assignedTo, resolvedBy, resolvedTime } = report;
  const content = fieldsIn(report.report);
  const messages = listIn(content.abuseMessages).map(fieldsIn);
  const facts = table(
    ['FIELD', 'VALUE'],
    [
      ['id', id],
      ['state', resolution ?? status],
      ['reason', listIn(content.spammerReasons).map(reasonText).join(', ') || 'none given'],
      ['reported', `${nameOfAccount(reportedMid)}${reportedDisabled ? ', disabled' : ''}`],
      ['reported mid', reportedMid],
      ['by', nameOfAccount(reporterMid)],
      ['by mid', reporterMid],
      ['time', minuteText(createdTime)],
      ...(assignedTo === undefined ? [] : [['taken care of by', oneLine(assignedTo)]]),
      ...(resolvedTime === undefined
        ? []
        : [['resolved', `${minuteText(resolvedTime)} by ${oneLine(resolvedBy ?? '')}`]]),
    ],
  );
  if (messages.length === 0) return `${facts}\nNo message is attached.`;
  return `${facts}\nMessages, as the reporter attached them:\n${messages.map(messageText).join('\n')}`;
}

function reasonText(reason: unknown): string {
  const name = typeof reason === 'number' ? nameOf(spammerReasons, reason) : undefined;
  return name === undefined ? oneLine(String(reason)) : typed(name);
}

function messageText(attached: Fields): string {
  const { createdTime } = attached;
  const time = new Date(Number(createdTime));
  const when = Number(createdTime) > 0 && Number.isFinite(time.getTime()) ? `${minuteText(time.toISOString())}  ` : '';
  return `  ${when}${contentText(attached)}`;
}

/** Returns the text of an attached message. Of a message without text, returns the kind, and the name of a file. */
function contentText({ message, contentType, metadata }: Fields): string {
  if (typeof message === 'string' && message !== '') return oneLine(message);
  const kind = typeof contentType === 'number' ? nameOf(contentTypes, contentType) : undefined;
  if (kind === undefined || kind === 'NONE') return 'a message without text';
  const { FILE_NAME: file } = fieldsIn(metadata);
  return `[${typed(kind)}${typeof file === 'string' && file !== '' ? ` ${oneLine(file)}` : ''}]`;
}
