// The names of those who act: administrators, tokens, and whoever has the token of the server.
import { useLingui } from '@lingui/react/macro';

const ADMINISTRATOR = 'administrator:';
const TOKEN = 'token:';

export function useActorName(): (actor: string) => string {
  const { t } = useLingui();
  return (actor) => {
    if (actor.startsWith(ADMINISTRATOR)) return actor.slice(ADMINISTRATOR.length);
    if (actor.startsWith(TOKEN)) {
      const name = actor.slice(TOKEN.length);
      return t`the token ${name}`;
    }
    if (actor === 'admin-token') return t`the server’s own token`;
    return actor === 'anybody' ? t`anybody` : actor;
  };
}
