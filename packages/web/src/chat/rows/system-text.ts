// The texts of messages from the server itself: who joined, left, was invited, or renamed a group.
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { withoutTurns } from '../../words/shown-name.ts';

const SEPARATOR = '\x1e';

/**
 * Returns the sentence of a system message.
 * @param nameOf returns the name of a user
 */
export function systemText({ contentMetadata }: StoredMessage, nameOf: (mid: string) => string): string {
  const args = withoutTurns(contentMetadata.LOC_ARGS ?? '').split(SEPARATOR);
  const [who = '', whom = '', whose = ''] = args.map((arg) => nameOf(arg) || arg);
  switch (contentMetadata.LOC_KEY) {
    // The first of these is about those who are invited when the group is made.
    case 'C_GI':
    case 'C_MI':
      return i18n._(msg`${who} invited ${whom}`);
    case 'C_MJ':
      return i18n._(msg`${who} joined`);
    case 'C_ML':
      return i18n._(msg`${who} left`);
    case 'C_MR':
      return i18n._(msg`${who} removed ${whom}`);
    case 'C_IC':
      return i18n._(msg`${who} took back the invitation of ${whom}`);
    case 'C_PN':
      return i18n._(msg`${who} named the group “${args[1] ?? ''}”`);
    default:
      return whose === '' ? i18n._(msg`The group was changed`) : i18n._(msg`${who} changed the group`);
  }
}
