// What an entry of the audit log is about, in words: the person or thing, and what else the server recorded.
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { AuditEntry } from '@sealpost/sdk/admin';

type Detail = Readonly<Record<string, unknown>>;

export const detailOf = ({ detail }: Pick<AuditEntry, 'detail'>): Detail =>
  typeof detail === 'object' && detail !== null ? { ...detail } : {};

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the first part of the name of an action, which tells what kind of thing it changes. */
const kindOf = (action: string): string => action.split('.')[0] ?? '';

/** Returns the name of the subject. Undefined if only its id is known, such as that of a deleted account. */
export function subjectName(entry: AuditEntry): string | undefined {
  const { action, subject, account } = entry;
  const { name, title } = detailOf(entry);
  const kind = kindOf(action);
  if (kind === 'administrator') return textIn(subject);
  if (kind === 'product' || account === undefined) return textIn(title) ?? textIn(name);
  return account.displayName;
}

/** Returns the function that tells, in words, what else an entry has: to whom, how many, or why. */
export function useParts(): (entry: AuditEntry) => readonly string[] {
  const { t } = useLingui();
  const resolutions: Readonly<Record<string, string>> = {
    dismiss: t`dismissed`,
    'disable-account': t`account disabled`,
  };
  const resolution = (action: unknown): string | undefined => resolutions[textIn(action) ?? ''];
  const lifeOf = (days: unknown): string | undefined =>
    typeof days === 'number' && days > 0 ? plural(days, { one: 'for # day', other: 'for # days' }) : undefined;
  const usesOf = (uses: unknown): string | undefined =>
    typeof uses === 'number' ? plural(uses, { one: 'for # person', other: 'for # people' }) : undefined;
  const ageOf = (days: unknown): string | undefined =>
    typeof days === 'number' ? plural(days, { one: 'older than # day', other: 'older than # days' }) : undefined;
  const assigned = (action: string, { to }: Detail): string | undefined => {
    const name = textIn(to);
    if (action !== 'report.assign') return undefined;
    return name === undefined ? t`nobody takes care of it` : t`${name} takes care of it`;
  };
  const given = ({ everyone }: Detail, name: string | undefined): string | undefined => {
    if (everyone === true) return t`for everyone`;
    return name === undefined ? undefined : t`to ${name}`;
  };
  const partsOf = ({ action, subject, account }: AuditEntry, detail: Detail): readonly (string | undefined)[] => {
    switch (kindOf(action)) {
      case 'product':
        return [given(detail, account?.displayName)];
      case 'invite':
        return [usesOf(detail.uses), lifeOf(detail.days)];
      case 'retention':
        return [subject === 'media' ? t`media` : t`messages`, ageOf(detail.days)];
      case 'report':
        return [account?.userid, resolution(detail.action), assigned(action, detail), textIn(detail.note)];
      case 'administrator':
        return [textIn(detail.name), textIn(detail.address)];
      default:
        return [account?.userid, textIn(detail.remoteAddress)];
    }
  };
  return (entry) => partsOf(entry, detailOf(entry)).filter((part) => part !== undefined);
}
