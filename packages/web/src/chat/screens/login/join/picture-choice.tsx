// The field for the picture of a new account. The page keeps the picture until the account exists.
import { useEffect, useState } from 'react';
import { Avatar } from '../../../../design/avatar.tsx';
import { PictureField } from '../../../pictures/picture-field.tsx';

export interface PictureChoiceProps {
  /** The name whose initials are shown while there is no picture. */
  readonly name: string;
  readonly picture: Blob | undefined;
  readonly onPicture: (picture: Blob | undefined) => void;
}

export function PictureChoice({ name, picture, onPicture }: PictureChoiceProps) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!picture) return setAddress(undefined);
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return (
    <PictureField onPicture={onPicture} onRemove={picture && (() => onPicture(undefined))}>
      <Avatar mid="" name={name} src={address} size="l" />
    </PictureField>
  );
}
