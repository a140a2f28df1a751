import { useLocation } from 'wouter';
import { routes } from '../routes.ts';

const lists: readonly string[] = [routes.chats, routes.contacts, routes.settings];

/** Returns whether the person is inside a chat or another screen, and not at one of the lists. */
export function useInside(): boolean {
  const [path] = useLocation();
  return !lists.includes(path);
}
