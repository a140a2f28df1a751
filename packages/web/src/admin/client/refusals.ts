// Texts for refusals of the admin API in the language of the page. The server's own texts are in English only.
import { t } from '@lingui/core/macro';
import type { FieldCode, ProblemCode } from '@sealpost/contract/admin';
import type { AdminError } from '@sealpost/sdk/admin';

/** Returns the text for a refusal; undefined if only the server's text says what it is about. */
export function refusalText({ status, code, field }: AdminError): string | undefined {
  if (code !== undefined) return textOfCode(code);
  if (field === 'name') return t`Another administrator has this name. Choose another one.`;
  if (field !== undefined) return t`Another account has it already.`;
  switch (status) {
    case 404:
      return t`It is not there any more. Somebody else may have removed it.`;
    case 413:
      return t`It is too large for the server.`;
    case 500:
      return t`The server has a fault. Its log has the cause.`;
    default:
      return undefined;
  }
}

function textOfCode(code: string): string | undefined {
  const texts: Readonly<Record<ProblemCode, string>> = {
    'account-deleted': t`The account was deleted.`,
    'begin-again': t`This took too long, or was done elsewhere. Close this and begin again.`,
    'disk-full': t`The disk of the server is full. Make room, then try again.`,
    'last-administrator': t`The last administrator of the server cannot be removed.`,
    'last-factor': t`This is your last second factor. Add another one first.`,
    'pack-known': t`The server has this pack already.`,
    'report-changed': t`Somebody else changed the report in the meantime. Look at it again.`,
    'report-resolved': t`The report is resolved already.`,
    'store-silent': t`The database of the server does not answer. Try again.`,
    'unknown-account': t`No account has this user id or mid.`,
    'wrong-code': t`The code is wrong. Is the clock of your device right?`,
    'wrong-password': t`The password is wrong.`,
  };
  return new Map(Object.entries(texts)).get(code);
}

/** Returns the text for a rule that a field breaks; undefined for a rule without a name. */
export function ruleText(code: string | undefined): string | undefined {
  const texts: Readonly<Record<FieldCode, string>> = {
    'control-characters': t`Leave out line breaks and other control characters.`,
    'display-name': t`Choose another name: not too long, and without control characters.`,
    email: t`This is not an e-mail address.`,
    password: t`Choose another password: at least 8 characters, not the name of the account, and none that many people use.`,
    phone: t`Write it with the country code, such as +49 30 1234567.`,
    userid: t`Use 1 to 40 small letters, digits, dots, dashes and underscores. Begin with a letter or digit.`,
  };
  return new Map(Object.entries(texts)).get(code ?? '');
}
