// The page "Packs": packs of stickers and emoji, the accounts that have them, and the import of new packs.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Product } from '@sealpost/sdk/admin';
import { Sticker, Upload } from 'lucide-react';
import { type FormEvent, useId, useRef } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Empty } from '../../design/empty.tsx';
import { Field } from '../../design/field.tsx';
import { toast } from '../../design/toast.ts';
import { act } from '../client/act.ts';
import { useKept } from '../client/kept.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Page, Shown, Tag } from '../parts/page.tsx';
import { Rows, RowText } from '../parts/rows.tsx';
import styles from './packs-page.module.css';

export default function PacksPage() {
  const { t } = useLingui();
  const [given, setGiven] = useKept<Product | undefined>('pack', () => undefined);
  const packs = useLoaded('packs', async () => (await adminClient().listProducts()).products);
  const share = ({ id, name, everyone }: Product): void => {
    const give = (): Promise<unknown> => adminClient().grantProduct({ product: id, everyone: true });
    const take = (): Promise<unknown> => adminClient().revokeProduct({ product: id, everyone: true });
    if (everyone) void act(take, { done: t`${name} was taken back.`, undo: give, after: packs.reload });
    else void act(give, { done: t`Everyone has ${name} now.`, undo: take, after: packs.reload });
  };
  return (
    <Page title={t`Sticker packs`} actions={<AddPack onAdded={packs.reload} />}>
      <p className={styles.note}>
        <Trans>
          A pack is a zip file with pack.json and pictures. The documents tell how to make one: stickers.md.
        </Trans>
      </p>
      <Shown of={packs}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty icon={<Sticker />} title={t`No packs yet`}>
              <Trans>Add a zip file with pack.json and pictures.</Trans>
            </Empty>
          ) : (
            <Rows label={t`Sticker packs`} items={shown} keyOf={({ id }) => id}>
              {(pack) => (
                <>
                  <Preview pack={pack} />
                  <RowText
                    title={
                      <>
                        <bdi>{pack.name}</bdi>
                        <Tag>{pack.kind === 'emoji' ? t`emoji` : t`stickers`}</Tag>
                        {pack.everyone && <Tag look="calm">{t`for everyone`}</Tag>}
                      </>
                    }
                  >
                    <bdi>{pack.author}</bdi> · {plural(pack.pictures.length, { one: '# picture', other: '# pictures' })}
                  </RowText>
                  <Button onClick={() => setGiven(pack)}>
                    <Trans>Give to a person</Trans>
                  </Button>
                  <Button onClick={() => share(pack)}>
                    {pack.everyone ? <Trans>Take from everyone</Trans> : <Trans>Give to everyone</Trans>}
                  </Button>
                </>
              )}
            </Rows>
          )
        }
      </Shown>
      {given && <GiveDialog pack={given} onClose={() => setGiven(undefined)} />}
    </Page>
  );
}

/** The button that adds a pack. */
function AddPack({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const { t } = useLingui();
  const file = useRef<HTMLInputElement>(null);
  const upload = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    const content = await chosen.arrayBuffer().catch(() => undefined);
    if (!content) toast({ text: t`The browser cannot read this file.` });
    else
      await act(() => adminClient().importProduct({ content: new Uint8Array(content) }), {
        done: t`The pack was added.`,
        after: onAdded,
      });
    // Then the same file can be chosen again.
    if (file.current) file.current.value = '';
  };
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".zip,application/zip"
        aria-label={t`Zip file of a pack`}
        className="visually-hidden"
        tabIndex={-1}
        onChange={({ target }) => void upload(target.files?.[0])}
      />
      <Button look="primary" icon={<Upload size={18} />} onClick={() => file.current?.click()}>
        <Trans>Add a pack</Trans>
      </Button>
    </>
  );
}

/** Shows the first picture of a pack. */
function Preview({ pack: { id, kind, pictures } }: { readonly pack: Product }) {
  const first = pictures[0];
  if (!first) return null;
  const src =
    kind === 'emoji'
      ? `/sticonshop/v1/sticon/${encodeURIComponent(id)}/android/${encodeURIComponent(first.id)}.png`
      : `/stickershop/v1/sticker/${encodeURIComponent(first.id)}/android/sticker.png`;
  return <img className={styles.picture} src={src} alt="" width={40} height={40} loading="lazy" />;
}

/** The dialog that gives a pack to one account, or takes it away. */
function GiveDialog({ pack: { id, name }, onClose }: { readonly pack: Product; readonly onClose: () => void }) {
  const { t } = useLingui();
  const form = useId();
  const [account, setAccount] = useKept('pack/account', () => '');
  const give = (): Promise<unknown> => adminClient().grantProduct({ product: id, account });
  const take = (): Promise<unknown> => adminClient().revokeProduct({ product: id, account });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await act(give, { done: t`${account} has ${name} now.`, undo: take })) onClose();
  };
  const takeBack = async (): Promise<void> => {
    if (await act(take, { done: t`${name} was taken from ${account}.`, undo: give })) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      closeLabel={t`Close`}
      size="s"
      actions={
        <>
          <Button disabled={account === ''} onClick={() => void takeBack()}>
            <Trans>Take back</Trans>
          </Button>
          <Button type="submit" look="primary" form={form}>
            <Trans>Give</Trans>
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field
          label={t`User id or mid`}
          required
          maxLength={100}
          autoComplete="off"
          value={account}
          onChange={({ target }) => setAccount(target.value.trim())}
        />
      </form>
    </Dialog>
  );
}
