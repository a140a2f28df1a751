// The button that opens the picker of emoji and stickers. The picker is loaded when it is first opened.
import { useLingui } from '@lingui/react/macro';
import { Smile } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { IconButton } from '../../../../design/button.tsx';
import type { UsedSticker } from '../../../media/recent-stickers.ts';

const Picker = lazy(() => import('../../../overlays/picker.tsx'));

export interface PickerButtonProps {
  readonly field: RefObject<HTMLElement | null>;
  readonly onEmoji: (emoji: string) => void;
  readonly onSticker: (sticker: UsedSticker) => void;
}

export function PickerButton({ field, onEmoji, onSticker }: PickerButtonProps) {
  const { t } = useLingui();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const press = (): void => {
    setWasOpened(true);
    setOpen(!isOpen);
  };
  return (
    <>
      <IconButton
        ref={anchor}
        label={t`Emoji and stickers`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={press}
      >
        <Smile />
      </IconButton>
      {wasOpened && (
        <Suspense>
          <Picker
            anchor={anchor}
            field={field}
            open={isOpen}
            onClose={() => setOpen(false)}
            onEmoji={onEmoji}
            onSticker={onSticker}
          />
        </Suspense>
      )}
    </>
  );
}
