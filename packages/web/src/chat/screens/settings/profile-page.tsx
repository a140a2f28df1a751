// The settings page for the parts of this account that others see: picture, cover, name, status message.
import { Trans, useLingui } from '@lingui/react/macro';
import { clientLimits } from '@sealpost/contract';
import { QrCode } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { toast } from '../../../design/toast.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { NameField } from '../../people/name-field.tsx';
import { nameProblem } from '../../people/name-problem.ts';
import { PictureField } from '../../pictures/picture-field.tsx';
import { Cover } from './cover.tsx';
import styles from './profile-page.module.css';

export function ProfilePage() {
  const { profile: verbs } = useRemote();
  const profile = useMirror(({ status }) => status.profile);
  if (!profile) return null;
  return (
    <>
      <Cover />
      <PictureField
        onPicture={(picture) => void attempt(() => verbs.setPicture(picture))}
        onRemove={profile.picturePath ? () => void attempt(() => verbs.removePicture()) : undefined}
      >
        <ChatAvatar mid={profile.mid} size="xl" />
      </PictureField>
      <NameForm name={profile.displayName} status={profile.statusMessage ?? ''} />
      <Button icon={<QrCode size={18} />} onClick={() => openOverlay({ kind: 'own-card' })}>
        <Trans>Let others add you</Trans>
      </Button>
    </>
  );
}

function NameForm({ name: saved, status: savedStatus }: { name: string; status: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [name, setName] = useState(saved);
  const [status, setStatus] = useState(savedStatus);
  const most = clientLimits.statusMessage.value;
  const over = [...status].length - most;
  const problem = nameProblem(name, clientLimits.displayName.value);
  const same = name.trim() === saved && status.trim() === savedStatus;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const changes = { displayName: name.trim(), statusMessage: status.trim() };
    if (await attempt(() => remote.profile.update(changes))) toast({ text: t`Saved` });
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <NameField
        label={t`Name`}
        value={name}
        most={clientLimits.displayName.value}
        autoComplete="name"
        onName={setName}
      />
      <Field
        label={t`Status message`}
        value={status}
        dir="auto"
        hint={t`A sentence below your name, such as where you are.`}
        error={over > 0 ? t`The status message is too long. At most ${most} characters fit.` : undefined}
        onChange={(event) => setStatus(event.target.value)}
      />
      <Button type="submit" look="primary" disabled={problem !== undefined || over > 0 || same}>
        <Trans>Save</Trans>
      </Button>
    </form>
  );
}
