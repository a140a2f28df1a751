// A place of objects that is always empty. The commands of a simulation use no objects, and files would make the order
// of events depend on the machine.
import type { Objects } from '@sealpost/server/internal';

const refuse = (what: string) => async (): Promise<never> => {
  throw new Error(`a simulation has no objects to ${what}`);
};

export const noObjects: Objects = {
  kind: 'disk',
  location: 'nowhere',
  append: refuse('append to'),
  publish: refuse('publish'),
  read: refuse('read'),
  remove: refuse('remove'),
  quarantine: refuse('put into quarantine'),
  bringBack: refuse('bring back'),
  owner: async () => undefined,
  claim: async () => {},
  page: async () => [],
  check: async () => {},
  close: async () => {},
};
