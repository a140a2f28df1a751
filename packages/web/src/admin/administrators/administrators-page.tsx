// The page "Administrators": the administrators, their sessions, tokens for machines, and the user's own login.
import { useLingui } from '@lingui/react/macro';
import { Page } from '../parts/page.tsx';
import { type Place, placeAt } from '../parts/place.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Administrators } from './administrators.tsx';
import { OwnPassword } from './own-password.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactors } from './second-factors.tsx';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';
import { useOwnFactors } from './use-own-factors.ts';

/** The views of the page, by their names in the address. */
const [TOKENS, OWN] = ['tokens', 'own'] as const;

export default function AdministratorsPage({ chosen }: Place) {
  const { t } = useLingui();
  const tabs = [
    { id: '', name: t`Everybody`, href: placeAt('administrators') },
    { id: TOKENS, name: t`Tokens`, href: placeAt('administrators', TOKENS) },
    { id: OWN, name: t`Your login`, href: placeAt('administrators', OWN) },
  ];
  const current = tabs.find(({ id }) => id === chosen)?.id ?? '';
  return (
    <Page title={t`Administrators`}>
      <Tabs label={t`Views`} tabs={tabs} current={current} />
      {current === '' && (
        <>
          <Administrators />
          <Sessions />
        </>
      )}
      {current === TOKENS && <Tokens />}
      {current === OWN && <OwnLogin />}
    </Page>
  );
}

function OwnLogin() {
  const own = useOwnFactors();
  return (
    <>
      <SecondFactors own={own} />
      <RecoveryCodes own={own} />
      <OwnPassword />
    </>
  );
}
