// The picture of a chat or user by its mid.
import { Avatar, type AvatarProps } from '../design/avatar.tsx';
import { useMirror } from './client/context.tsx';
import { nameOf, picturePathOf } from './client/mirror-state.ts';
import { pictureUrl } from './client/picture-url.ts';

export function ChatAvatar({ mid, size = 'm' }: { mid: string; size?: NonNullable<AvatarProps['size']> }) {
  const name = useMirror((state) => state.chats.get(mid)?.name || nameOf(state, mid));
  const path = useMirror((state) => picturePathOf(state, mid));
  const isPerson = mid.startsWith('u');
  return <Avatar mid={mid} name={name} src={pictureUrl(path)} size={size} shape={isPerson ? 'person' : 'group'} />;
}
