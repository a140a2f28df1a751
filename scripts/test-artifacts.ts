// Finds the programs with which tests install what a release has for operators. Only root can use them.
import { commandPath, howToInstall } from './debian-packages.ts';
import type { Service } from './test-services.ts';

/** The programs, in the order in which the tests start them. */
export const ARTIFACT_PROGRAMS = ['mmdebstrap', 'dpkg-deb', 'systemd-analyze', 'buildah', 'runc'];

/** @throws Error if a program is missing, or if the test command does not run as root */
export async function findArtifactPrograms(): Promise<Service> {
  const missing = ARTIFACT_PROGRAMS.filter((program) => commandPath(program) === undefined);
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')} on the path; ${howToInstall('artifacts')}`);
  if (process.getuid?.() !== 0) throw new Error('only root can install packages in a root of their own');
  return { url: 'root', from: ARTIFACT_PROGRAMS.join(', '), stop: async () => {} };
}
