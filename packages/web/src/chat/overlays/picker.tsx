// The picker next to the field for messages. It offers emoji for the text, and stickers, which are sent at once.
import { Popover } from '@base-ui/react/popover';
import { Tabs } from '@base-ui/react/tabs';
import { useLingui } from '@lingui/react/macro';
import { Clock, Smile, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { IconButton } from '../../design/button.tsx';
import { useRemote } from '../client/context.tsx';
import { type Pack, packOf } from '../media/packs.ts';
import { parseUsed, RECENT_STICKERS, type UsedSticker, withUsed } from '../media/recent-stickers.ts';
import { stickerPicture } from '../media/sticker-address.ts';
import { EmojiGrid } from './emoji-grid.tsx';
import styles from './picker.module.css';

export interface PickerProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  /** The element that gets the focus when the picker closes. */
  readonly field: RefObject<HTMLElement | null>;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onEmoji: (emoji: string) => void;
  readonly onSticker: (sticker: UsedSticker) => void;
}

const EMOJI = 'emoji';
const RECENT = 'recent';

export default function Picker({ anchor, field, open, onClose, onEmoji, onSticker }: PickerProps) {
  const { t } = useLingui();
  const packs = usePacks(open);
  const [used, setUsed] = useState(() => parseUsed(localStorage.getItem(RECENT_STICKERS)));
  const choose = (sticker: UsedSticker): void => {
    const next = withUsed(used, sticker);
    setUsed(next);
    localStorage.setItem(RECENT_STICKERS, JSON.stringify(next));
    onSticker(sticker);
    onClose();
  };
  return (
    // Traps the focus in the picker. The picker is not next to its button in the page, so Tab would move the focus to
    // an unrelated place.
    <Popover.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()} modal="trap-focus">
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} anchor={anchor} side="top" align="end" sideOffset={8}>
          <Popover.Popup className={styles.popup} aria-label={t`Emoji and stickers`} finalFocus={field}>
            <Tabs.Root defaultValue={EMOJI} className={styles.root}>
              <header className={styles.header}>
                <Tabs.List className={styles.tabs} aria-label={t`Emoji and sticker packs`} activateOnFocus>
                  <Tabs.Tab value={EMOJI} className={styles.tab} aria-label={t`Emoji`} title={t`Emoji`}>
                    <Smile />
                  </Tabs.Tab>
                  {used.length > 0 && (
                    <Tabs.Tab value={RECENT} className={styles.tab} aria-label={t`Used last`} title={t`Used last`}>
                      <Clock />
                    </Tabs.Tab>
                  )}
                  {packs.map(({ id, name, stickers: [first] }) => (
                    <Tabs.Tab key={id} value={id} className={styles.tab} aria-label={name} title={name}>
                      {first && <img src={stickerPicture(first.stickerId)} alt="" width={28} height={28} />}
                    </Tabs.Tab>
                  ))}
                </Tabs.List>
                <Popover.Close render={<IconButton label={t`Close`} />}>
                  <X />
                </Popover.Close>
              </header>
              <Tabs.Panel value={EMOJI} className={styles.panel}>
                <EmojiGrid onEmoji={onEmoji} />
              </Tabs.Panel>
              <Tabs.Panel value={RECENT} className={styles.panel}>
                <Stickers stickers={used} onChosen={choose} />
              </Tabs.Panel>
              {packs.map(({ id, stickers }) => (
                <Tabs.Panel key={id} value={id} className={styles.panel}>
                  <Stickers stickers={stickers} onChosen={choose} />
                </Tabs.Panel>
              ))}
            </Tabs.Root>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/**
 * Returns the sticker packs that the account owns. Reads them each time the picker opens; without a connection, the
 * last ones stay.
 */
function usePacks(open: boolean): readonly Pack[] {
  const remote = useRemote();
  const [packs, setPacks] = useState<readonly Pack[]>([]);
  useEffect(() => {
    if (!open) return;
    remote.stickers
      .owned('stickers')
      .then((products) => setPacks(products.map(packOf)))
      .catch(() => undefined);
  }, [remote, open]);
  return packs;
}

interface StickersProps {
  readonly stickers: readonly UsedSticker[];
  readonly onChosen: (sticker: UsedSticker) => void;
}

function Stickers({ stickers, onChosen }: StickersProps) {
  const { t } = useLingui();
  return (
    <ul className={styles.stickers}>
      {stickers.map((sticker) => (
        <li key={sticker.stickerId}>
          <button
            type="button"
            className={styles.sticker}
            aria-label={sticker.text || t`Sticker`}
            title={sticker.text}
            onClick={() => onChosen(sticker)}
          >
            <img src={stickerPicture(sticker.stickerId)} alt="" width={72} height={72} loading="lazy" />
          </button>
        </li>
      ))}
    </ul>
  );
}
