// Wraps the object store of one installation. In a place that has the id of another installation, or no id, nothing is
// written, removed or quarantined.
import { StoreUnavailable } from '../store/store.ts';
import { type ObjectKey, ObjectMissing, type Objects } from './objects.ts';

export interface Ownership {
  /** The id of the installation, from the database. */
  readonly id: string;
  /** The place that holds the id. It may be a folder above the objects, whose subfolders have no ids. */
  readonly home: Pick<Objects, 'owner' | 'location'>;
  /** Called when an object was needed again and was therefore taken out of quarantine. */
  readonly onBroughtBack: (key: ObjectKey) => void;
}

/** Returns the location of the file with the id of the installation that owns a place. */
export const ownerPlace = ({ location }: Pick<Objects, 'location'>): string =>
  `${location}${location.endsWith('/') ? '' : '/'}instance`;

export function ownedObjects(objects: Objects, { id, home, onBroughtBack }: Ownership): Objects {
  /** @throws StoreUnavailable if the place does not have the id of this installation */
  async function requireOwn(): Promise<void> {
    const found = await home.owner();
    if (found === id) return;
    const seen = found === undefined ? 'is not there' : `has the id ${found}`;
    throw new StoreUnavailable(
      `objects cannot be used: ${ownerPlace(home)} ${seen}; this database has ${id}. Put the place back that has it, or write ${id} there to go on with this one.`,
    );
  }

  /**
   * Throws StoreUnavailable instead of ObjectMissing if the place itself is missing, because then every object seems to
   * be missing.
   */
  const orAway = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      if (error instanceof ObjectMissing) await requireOwn();
      throw error;
    });

  return {
    ...objects,
    async append(key, offset, source) {
      if (offset === 0) await requireOwn();
      return orAway(objects.append(key, offset, source));
    },
    publish: (key) => orAway(objects.publish(key)),
    async read(key, range) {
      try {
        return await orAway(objects.read(key, range));
      } catch (error) {
        if (!(error instanceof ObjectMissing && (await objects.bringBack(key)))) throw error;
        onBroughtBack(key);
        return objects.read(key, range);
      }
    },
    async remove(key) {
      await requireOwn();
      await objects.remove(key);
    },
    async quarantine(key) {
      await requireOwn();
      await objects.quarantine(key);
    },
    async check() {
      await requireOwn();
      await objects.check();
    },
  };
}
