// Pictures that show how keys are created and exchanged, with the same explanation in words.
import { Card } from '../parts/section.tsx';
import { GroupKeyPicture } from './group-key-picture.tsx';
import { NegotiationPicture } from './negotiation-picture.tsx';
import styles from './pictures.module.css';

export default function Pictures() {
  return (
    <>
      <Card title="Negotiation: whom to seal for">
        <div className={styles.beside}>
          <NegotiationPicture />
          <ol className={styles.words}>
            <li>Ben’s device makes a key pair and registers the public half. The server gives it an id.</li>
            <li>
              Ann asks whom to seal for. The answer has Ben’s newest key, and the content types that may be sealed.
            </li>
            <li>
              Without a key, <code>specVersion</code> is -1 and Ann sends plain.
            </li>
            <li>
              Ann makes the shared secret of her private and Ben’s public key, and seals. The chunks name both key ids.
            </li>
            <li>
              The server checks the ids. If Ben has a newer key, it refuses with code 84, and Ann negotiates again. If
              Ann has one, with code 83.
            </li>
            <li>Ben reads the ids, gets Ann’s public key by its id, makes the same secret, and opens.</li>
          </ol>
        </div>
      </Card>
      <Card title="The life of a group key">
        <div className={styles.beside}>
          <GroupKeyPicture />
          <ol className={styles.words}>
            <li>
              Ann makes a key pair for the group, wraps its private half for each member, and registers the wraps.
            </li>
            <li>
              Dan joins. Key 1 is not for all members any more: the newest key is answered with NOT_FOUND, and a message
              sealed with key 1 is refused with code 99.
            </li>
            <li>Whoever writes next registers key 2, wrapped for everybody. Dan cannot read what was sealed before.</li>
            <li>Cara leaves. Key 3 is wrapped for those who stay. Cara cannot read what comes.</li>
            <li>Old keys stay, so that members open old messages. The fifth chunk tells which key a message needs.</li>
          </ol>
        </div>
      </Card>
    </>
  );
}
