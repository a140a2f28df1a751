// The reactions of the protocol, with an emoji for each.
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const reactionSigns = [
  { name: 'NICE', sign: '👍', label: () => i18n._(msg`Like`) },
  { name: 'LOVE', sign: '❤️', label: () => i18n._(msg`Love`) },
  { name: 'FUN', sign: '😄', label: () => i18n._(msg`Funny`) },
  { name: 'AMAZING', sign: '😮', label: () => i18n._(msg`Amazing`) },
  { name: 'SAD', sign: '😢', label: () => i18n._(msg`Sad`) },
  { name: 'OMG', sign: '🙀', label: () => i18n._(msg`Shocked`) },
] as const;
