// A dialog to send one's own position. The browser is asked for the position only after a click, and the coordinates
// are shown before they are sent.
import { Trans, useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import { LocateFixed } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../design/button.tsx';
import { Dialog } from '../../../../design/dialog.tsx';
import { Field } from '../../../../design/field.tsx';
import { coordinates, type Point } from '../../../media/place.ts';
import styles from './attach-dialogs.module.css';
import type { Content } from './content.ts';

const PATIENCE_MS = 20_000;
const PERMISSION_DENIED = 1;

type Asked = 'no' | 'asking' | 'refused' | 'not-found';

export interface PlaceDialogProps {
  readonly onClose: () => void;
  readonly onChosen: (content: Content) => void;
}

export default function PlaceDialog({ onClose, onChosen }: PlaceDialogProps) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<Asked>('no');
  const [point, setPoint] = useState<Point>();
  const [title, setTitle] = useState('');
  const ask = (): void => {
    setAsked('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setAsked('no');
        setPoint({ latitude, longitude });
      },
      ({ code }) => setAsked(code === PERMISSION_DENIED ? 'refused' : 'not-found'),
      { enableHighAccuracy: true, timeout: PATIENCE_MS },
    );
  };
  const send = (): void => {
    if (!point) return;
    const name = title.trim();
    onChosen({ contentType: contentTypes.LOCATION, location: { ...point, ...(name !== '' && { title: name }) } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Send a place`}
      closeLabel={t`Close`}
      size="s"
      actions={
        <Button look="primary" disabled={!point} onClick={send}>
          <Trans>Send the place</Trans>
        </Button>
      }
    >
      <div className={styles.form}>
        {point ? (
          <p className={styles.point}>{coordinates(point)}</p>
        ) : (
          <p>
            <Trans>
              Your browser asks whether this page may know where you are. Nothing is sent before you see it.
            </Trans>
          </p>
        )}
        <Button icon={<LocateFixed />} disabled={asked === 'asking'} onClick={ask}>
          {asked === 'asking' ? t`Looking…` : t`Find out where I am`}
        </Button>
        {asked === 'refused' && (
          <p role="status" className={styles.problem}>
            <Trans>
              The browser does not let this page know. Allow it in the settings of the site, then try again.
            </Trans>
          </p>
        )}
        {asked === 'not-found' && (
          <p role="status" className={styles.problem}>
            <Trans>This device could not find out where it is.</Trans>
          </p>
        )}
        <Field label={t`Name of the place`} value={title} onChange={(event) => setTitle(event.target.value)} />
      </div>
    </Dialog>
  );
}
