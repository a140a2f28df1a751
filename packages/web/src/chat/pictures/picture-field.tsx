// A field to choose the picture of a profile or group. The person chooses a file and cuts a square out of it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Camera } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { toast } from '../../design/toast.ts';
import styles from './picture-field.module.css';

const CropDialog = lazy(() => import('./crop-dialog.tsx'));

export interface PictureFieldProps {
  /** The element that shows the current picture. */
  readonly children: ReactNode;
  readonly onPicture: (picture: Blob) => void;
  /** Removes the picture; not given if there is none. */
  readonly onRemove?: (() => void) | undefined;
}

export function PictureField({ children, onPicture, onRemove }: PictureFieldProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<ImageBitmap>();
  // Frees the memory of the picture. Otherwise it is only freed some time later.
  useEffect(() => () => opened?.close(), [opened]);
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      setOpened(await createImageBitmap(file));
    } catch {
      toast({ text: t`This file is not a picture that the browser can read. Use a JPEG or PNG file.` });
    }
  };
  return (
    <div className={styles.field}>
      {children}
      <div className={styles.buttons}>
        <Button icon={<Camera size={18} />} onClick={() => input.current?.click()}>
          <Trans>Choose a picture</Trans>
        </Button>
        {onRemove && (
          <Button look="quiet" onClick={onRemove}>
            <Trans>Remove the picture</Trans>
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t`Picture`}
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {opened && (
        <Suspense fallback={null}>
          <CropDialog
            picture={opened}
            onClose={() => setOpened(undefined)}
            onTaken={(picture) => {
              setOpened(undefined);
              onPicture(picture);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
