// The picture of a user or group in its full size.
import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../../design/dialog.tsx';
import { useMirror } from '../client/context.tsx';
import { nameOf, picturePathOf } from '../client/mirror-state.ts';
import { fullPictureUrl } from '../client/picture-url.ts';
import styles from './picture-dialog.module.css';

export default function PictureDialog({ mid, onClose }: { mid: string; onClose: () => void }) {
  const { t } = useLingui();
  const name = useMirror((state) => state.chats.get(mid)?.name || nameOf(state, mid));
  const path = useMirror((state) => picturePathOf(state, mid));
  return (
    <Dialog open onClose={onClose} title={name || t`Unknown`} closeLabel={t`Close`}>
      <img className={styles.picture} src={fullPictureUrl(path)} alt={name} />
    </Dialog>
  );
}
