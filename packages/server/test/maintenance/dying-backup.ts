// Makes a backup, and kills itself when a number of objects are copied. Started by the tests of backups.
import { backup } from '../../src/maintenance/backup/backup.ts';

const [flags = '', place = '', last = ''] = process.argv.slice(2);
await backup({
  sources: { flags: JSON.parse(flags), env: {} },
  place,
  onProgress: ({ what, done }) => {
    if (what === 'objects' && done === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
});
