// A dialog to cut a square out of a picture. The person moves the picture by pointer or arrow keys, and enlarges it
// with a slider.
import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { type Crop, dragged, MOST_ZOOM, sideOf, squareOf, startCrop, zoomed } from './crop.ts';
import styles from './crop-dialog.module.css';

const SHOWN_PX = 320;
const STEP = 0.05;
const QUALITY = 0.9;

export interface CropDialogProps {
  readonly picture: ImageBitmap;
  readonly onClose: () => void;
  readonly onTaken: (picture: Blob) => void;
}

export default function CropDialog({ picture, onClose, onTaken }: CropDialogProps) {
  const { t } = useLingui();
  const [crop, setCrop] = useState(startCrop);
  const shown = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (shown.current) draw(shown.current, picture, crop, SHOWN_PX * Math.min(2, devicePixelRatio));
  }, [picture, crop]);
  const drag = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const side = event.currentTarget.clientWidth;
    setCrop((now) => dragged(picture, now, event.movementX / side, event.movementY / side));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    setCrop((now) => dragged(picture, now, ...step));
  };
  const take = async (): Promise<void> => onTaken(await cropped(picture, crop));
  return (
    <Dialog
      open
      size="s"
      onClose={onClose}
      title={t`Choose the part`}
      closeLabel={t`Close`}
      actions={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look="primary" onClick={() => void take()}>
            <Trans>Use this picture</Trans>
          </Button>
        </>
      }
    >
      <div className={styles.crop}>
        <canvas
          ref={shown}
          className={styles.picture}
          tabIndex={0}
          role="img"
          aria-label={t`The part of the picture. The arrow keys move it.`}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onKeyDown={onKeyDown}
        />
        <label className={styles.zoom}>
          <Trans>Size</Trans>
          <input
            type="range"
            min={1}
            max={MOST_ZOOM}
            step={STEP}
            value={crop.zoom}
            onChange={(event) => setCrop((now) => zoomed(picture, now, Number(event.target.value)))}
          />
        </label>
      </div>
    </Dialog>
  );
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop, side: number): void {
  canvas.width = side;
  canvas.height = side;
  const { left, top, side: taken } = squareOf(picture, crop);
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, left, top, taken, taken, 0, 0, side, side);
  }
}

/** Returns the selected square as a new picture. Transparent parts of the original become white. */
function cropped(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  draw(canvas, picture, crop, sideOf(squareOf(picture, crop)));
  const context = canvas.getContext('2d');
  if (context) {
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve, reject) => {
    const done = (made: Blob | null): void =>
      made ? resolve(made) : reject(new Error('The browser could not write the picture.'));
    canvas.toBlob(done, 'image/jpeg', QUALITY);
  });
}
