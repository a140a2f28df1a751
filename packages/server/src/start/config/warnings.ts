// Warnings about settings that the server accepts, but that should be changed.
import type { Config } from './config.ts';
import { PUBLIC_BUILD_TOKEN } from './settings.ts';

export function startWarnings({ mode, signature, buildTokens, busUrl, objects }: Config): string[] {
  const warnings: string[] = [];
  if (mode === 'serve' && signature === 'strict' && buildTokens.includes(PUBLIC_BUILD_TOKEN)) {
    warnings.push(
      `the build token ${PUBLIC_BUILD_TOKEN} is public: set --build-tokens to one of your own, and SEALPOST_BUILD_TOKEN for clients`,
    );
  }
  if (busUrl && objects.kind === 'disk') {
    warnings.push(
      `media lie in the folder ${objects.path}: with bus-url, all servers must have that same folder (--objects-url file:<folder>), or a bucket (--objects-url s3://<bucket>)`,
    );
  }
  return warnings;
}
