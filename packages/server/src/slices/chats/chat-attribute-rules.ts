// Checks of the values that a client may set as attributes of a chat.
import { ApiError, limits } from '@sealpost/contract';

const PICTURE_PATH = /^\/[\w-][\w./-]{0,199}$/;

/** Returns the name if it is short enough. An empty name is allowed: clients then show the members' names. */
export function requireChatName(name: string): string {
  const length = [...name].length;
  const most = limits.chatName.value;
  if (length > most)
    throw new ApiError('INVALID_LENGTH', `the chat name has ${length} characters, at most ${most} fit`);
  return name;
}

/** Returns the path of a chat's picture if it is valid. An empty path means no picture. */
export function requirePicturePath(path: string): string {
  if (path !== '' && (!PICTURE_PATH.test(path) || path.includes('..'))) {
    throw new ApiError('ILLEGAL_ARGUMENT', 'picturePath is not a path of this server; upload the picture instead');
  }
  return path;
}
