// The rules for the values of a chat's attributes.
import { ApiError, limits } from '@sealpost/contract';

const PICTURE_PATH = /^\/[\w-][\w./-]{0,199}$/;

/** May be empty: clients then make a name of the members. */
export function requireChatName(name: string): string {
  const length = [...name].length;
  const most = limits.chatName.value;
  if (length > most)
    throw new ApiError('INVALID_LENGTH', `the chat name has ${length} characters, at most ${most} fit`);
  return name;
}

/** Empty for no picture. */
export function requirePicturePath(path: string): string {
  if (path !== '' && (!PICTURE_PATH.test(path) || path.includes('..'))) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'picturePath is not a path of this server; upload the picture instead');
  }
  return path;
}
