// A form for a new group or room: its kind, name and picture.
import { Trans, useLingui } from '@lingui/react/macro';
import { clientLimits } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { unlessTouched } from '../../access/unless-touched.ts';
import { Avatar } from '../../design/avatar.tsx';
import { RadioList } from '../../design/radio-list.tsx';
import { listOf } from '../../words/numbers.ts';
import { useMirrorShallow } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import { NameField } from '../people/name-field.tsx';
import { nameProblem } from '../people/name-problem.ts';
import { PictureField } from '../pictures/picture-field.tsx';
import styles from './form.module.css';

export interface NewGroup {
  readonly kind: 'group' | 'room';
  readonly name: string;
  readonly picture?: Blob | undefined;
}

export const newGroup: NewGroup = { kind: 'group', name: '' };

export const canCreate = ({ kind, name }: NewGroup): boolean =>
  kind === 'room' || nameProblem(name, clientLimits.chatName.value, true) === undefined;

export interface NewGroupFormProps {
  readonly group: NewGroup;
  readonly members: readonly string[];
  readonly onChange: (group: NewGroup) => void;
}

export function NewGroupForm({ group, members, onChange }: NewGroupFormProps) {
  const { t, i18n } = useLingui();
  const names = useMirrorShallow((state) => members.map((mid) => nameOf(state, mid)));
  const { kind, name, picture } = group;
  const src = useBlobUrl(picture);
  return (
    <div className={styles.form}>
      <p className={styles.hint}>
        <Trans>With {listOf(i18n.locale, names)}</Trans>
      </p>
      <RadioList
        label={t`What kind?`}
        value={kind}
        onChange={(next) => onChange({ ...group, kind: next })}
        choices={[
          {
            value: 'group',
            label: t`Group`,
            hint: t`It has a name and a picture. Everybody is invited, and may decline.`,
          },
          { value: 'room', label: t`Room`, hint: t`Everybody is in it at once. It has no name of its own.` },
        ]}
      />
      {kind === 'group' && (
        <>
          <NameField
            label={t`Name`}
            autoFocus={unlessTouched(true)}
            value={name}
            most={clientLimits.chatName.value}
            mayBeEmpty
            hint={t`Without a name, the names of the members are shown.`}
            onName={(next) => onChange({ ...group, name: next })}
          />
          <PictureField
            onPicture={(made) => onChange({ ...group, picture: made })}
            onRemove={picture && (() => onChange({ ...group, picture: undefined }))}
          >
            <Avatar mid={members.join()} name={name || names.join(' ')} src={src} size="l" shape="group" />
          </PictureField>
        </>
      )}
    </div>
  );
}

/** Returns an object URL for a picture that exists only in the memory of the page. */
function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = blob && URL.createObjectURL(blob);
    setUrl(made);
    return () => {
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [blob]);
  return url;
}
