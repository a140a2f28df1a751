// Which operations have a handler: asked of a real server, started for a moment on a throw-away data folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, loadConfig } from '@sealpost/server';

export async function servedOperations(): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-docs-'));
  const flags = { port: '0', 'data-dir': folder, 'log-level': 'silent' };
  const server = await createServer(loadConfig('dev', { flags, env: {} }));
  const { handlers, httpHandlers, objectHandlers } = server.slices;
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  // The stream, and the poll of the same log, are part of the platform, not of a slice.
  return new Set([
    ...[handlers, httpHandlers, objectHandlers.serve].flatMap((served) => Object.keys(served)),
    ...['operationReceive', 'TalkService.fetchOps'],
  ]);
}
