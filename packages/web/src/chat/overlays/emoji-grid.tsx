// A grid of emoji to search and choose from. The library counts rows and columns from 0, but screen readers expect
// counting from 1.
import { Trans, useLingui } from '@lingui/react/macro';
import {
  defaultEmojiDataResolver,
  type EmojiDataResolver,
  EmojiPicker,
  type EmojiPickerListEmojiProps,
  type EmojiPickerListRowProps,
} from 'frimousse';
import { untilLoaded } from '../until-loaded.ts';
import styles from './picker.module.css';

/** The address where the build puts the names and search words of emoji. Each language has a folder there. */
const DATA = '/emoji';
const LANGUAGES: Readonly<Record<string, string>> = { ja: 'ja', th: 'th', 'zh-Hant': 'zh-hant' };
const COLUMNS = 8;

/** Loads the names of emoji. The library asks for them only once, and would show that it loads them for ever. */
const namesOfEmoji: EmojiDataResolver = (locale, options) =>
  untilLoaded(() => defaultEmojiDataResolver(locale, options), options.signal);

/** Returns the props with an index increased by 1, so that it counts from 1 instead of 0. */
const fromOne = <T extends object>(props: T, index: keyof T): T => ({
  ...props,
  [index]: Number(props[index] ?? 0) + 1,
});

const Row = (props: EmojiPickerListRowProps) => <div {...fromOne(props, 'aria-rowindex')} className={styles.row} />;

const Emoji = ({ emoji, ...rest }: EmojiPickerListEmojiProps) => (
  <button type="button" {...fromOne(rest, 'aria-colindex')} className={styles.emoji}>
    {emoji.emoji}
  </button>
);

export function EmojiGrid({ onEmoji }: { onEmoji: (emoji: string) => void }) {
  const { t, i18n } = useLingui();
  return (
    <EmojiPicker.Root
      className={styles.emojiRoot}
      locale={LANGUAGES[i18n.locale] ?? 'en'}
      emojibaseUrl={DATA}
      resolveEmojiData={namesOfEmoji}
      columns={COLUMNS}
      onEmojiSelect={({ emoji }) => onEmoji(emoji)}
    >
      <EmojiPicker.Search
        className={styles.search}
        autoFocus
        placeholder={t`Search emoji`}
        aria-label={t`Search emoji`}
      />
      <EmojiPicker.Viewport className={styles.viewport} tabIndex={0} role="group" aria-label={t`Emoji`}>
        <EmojiPicker.Loading className={styles.note}>
          <Trans>Loading…</Trans>
        </EmojiPicker.Loading>
        <EmojiPicker.Empty className={styles.note}>
          <Trans>No emoji has this name.</Trans>
        </EmojiPicker.Empty>
        <EmojiPicker.List
          components={{
            Row,
            Emoji,
            CategoryHeader: ({ category, ...rest }) => (
              <div {...rest} className={styles.category}>
                {category.label}
              </div>
            ),
          }}
        />
      </EmojiPicker.Viewport>
    </EmojiPicker.Root>
  );
}
