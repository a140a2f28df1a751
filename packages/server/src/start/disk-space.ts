// The free space on the disks that a server writes to.
import { statfs } from 'node:fs/promises';

export interface Disk {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Returns the disk with the fewest free bytes among those of the folders. */
export async function fullestDisk(folders: readonly string[]): Promise<Disk> {
  const disks = await Promise.all([...new Set(folders)].map(diskOf));
  return disks.reduce((least, disk) => (disk.freeBytes < least.freeBytes ? disk : least));
}

async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
