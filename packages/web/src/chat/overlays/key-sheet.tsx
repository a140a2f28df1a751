// A dialog that lists all keyboard shortcuts.
import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../../design/dialog.tsx';
import { type KeyBinding, keymap, keysOf } from '../../keys/keymap.ts';
import styles from './overlays.module.css';

export default function KeySheet({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const parts: readonly [string, KeyBinding['place']][] = [
    [t`Everywhere`, undefined],
    [t`On a message`, 'message'],
  ];
  return (
    <Dialog open onClose={onClose} title={t`Keyboard shortcuts`} closeLabel={t`Close`}>
      {parts.map(([title, place]) => (
        <section key={title}>
          <h3 className={styles.part}>{title}</h3>
          <table className={styles.keys}>
            <tbody>
              {keymap
                .filter((binding: KeyBinding) => binding.place === place)
                .map((binding) => (
                  <tr key={binding.id}>
                    <td>{i18n._(binding.label)}</td>
                    <td>
                      <kbd>{keysOf(binding)}</kbd>
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      ))}
    </Dialog>
  );
}
