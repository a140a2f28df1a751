// The programs that tests use but npm does not have, and their Debian packages.
import { spawnSync } from 'node:child_process';

export const packagesOf = {
  nats: ['nats-server'],
  chromium: ['chromium'],
  strace: ['strace'],
  python: ['python3', 'python3-cryptography', 'python3-argon2'],
  s3: ['ceph-mon', 'ceph-osd', 'radosgw'],
  fonts: ['fontconfig', 'fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
} as const;

/** Returns the path of a command, if it can be called by its name. */
export const commandPath = (name: string): string | undefined =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim() || undefined;

/** The fonts that the screenshots need: Latin, Thai and Arabic, then Japanese and Chinese, then emoji. */
const FONTS = ['Noto Sans', 'Noto Sans Thai', 'Noto Sans Arabic', 'Noto Sans CJK JP', 'Noto Color Emoji'];

export function hasFonts(): boolean {
  const { stdout } = spawnSync('fc-list', [':', 'family'], { encoding: 'utf8' });
  const families = new Set((stdout ?? '').split(/[,\n]/));
  return FONTS.every((font) => families.has(font));
}

/** Returns how to install a missing program, for the end of an error text. */
export const howToInstall = (what: keyof typeof packagesOf): string =>
  `\`npm run test:programs\`, as root on Debian, installs ${packagesOf[what].join(', ')}`;
