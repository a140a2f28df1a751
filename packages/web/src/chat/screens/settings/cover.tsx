// The cover of the account: a wide picture that clients show above its profile.
import { Trans, useLingui } from '@lingui/react/macro';
import { Image } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import styles from './profile-page.module.css';

export function Cover() {
  const { t } = useLingui();
  const { profile } = useRemote();
  const input = useRef<HTMLInputElement>(null);
  const [src, setSrc] = useState<string>();
  const [reading, setReading] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cover is read again after it was changed
  useEffect(() => {
    let url: string | undefined;
    let current = true;
    profile.coverPicture().then(
      (bytes) => {
        if (!current) return;
        url = bytes && URL.createObjectURL(new Blob([bytes]));
        setSrc(url);
      },
      // Without a connection, the cover cannot be read and is not shown.
      () => undefined,
    );
    return () => {
      current = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [profile, reading]);
  const change = async (run: () => Promise<unknown>): Promise<void> => {
    if (await attempt(run)) setReading((now) => now + 1);
  };
  return (
    <div className={styles.cover}>
      {src !== undefined && <img className={styles.coverPicture} src={src} alt={t`Your cover`} />}
      <div className={styles.buttons}>
        <Button look="quiet" icon={<Image size={18} />} onClick={() => input.current?.click()}>
          <Trans>Choose a cover</Trans>
        </Button>
        {src !== undefined && (
          <Button look="quiet" onClick={() => void change(() => profile.removeCover())}>
            <Trans>Remove the cover</Trans>
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        hidden
        aria-label={t`Cover`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void change(() => profile.setCover(file));
          event.target.value = '';
        }}
      />
    </div>
  );
}
