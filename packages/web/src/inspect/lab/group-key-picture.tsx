// A picture that shows which members of a group have which of its keys.
import { cx } from '../../design/cx.ts';
import { Picture } from './picture.tsx';
import styles from './pictures.module.css';

const members = ['Ann', 'Ben', 'Cara', 'Dan'] as const;
type Member = (typeof members)[number];

const keys: readonly {
  readonly look: 'key1' | 'key2' | 'key3';
  readonly event: string;
  readonly of: readonly Member[];
}[] = [
  { look: 'key1', event: 'Ann registers', of: ['Ann', 'Ben', 'Cara'] },
  { look: 'key2', event: 'Dan joins', of: members },
  { look: 'key3', event: 'Cara leaves', of: ['Ann', 'Ben', 'Dan'] },
];

const [START, COLUMN, TOP, ROW] = [70, 190, 66, 46];
const [WIDTH, HEIGHT] = [START + keys.length * COLUMN, TOP + members.length * ROW + 30];

export const GroupKeyPicture = () => (
  <Picture
    title="Each change of the members makes a new group key for those who are in it"
    width={WIDTH}
    height={HEIGHT}
  >
    {members.map((member, row) => (
      <text key={member} className={styles.strong} x={4} y={TOP + row * ROW + 24}>
        {member}
      </text>
    ))}
    {keys.map(({ look, event, of }, at) => {
      const x = START + at * COLUMN;
      return (
        <g key={look}>
          <line className={styles.event} x1={x} x2={x} y1={28} y2={HEIGHT - 26} />
          <text className={styles.strong} x={x + 8} y={24}>
            {event}
          </text>
          <text className={styles.quiet} x={x + 8} y={46}>
            {`group key ${at + 1}`}
          </text>
          {members.map((member, row) => {
            const has = of.includes(member);
            return (
              <g key={member}>
                <rect
                  className={cx(has ? styles[look] : styles.none)}
                  x={x + 8}
                  y={TOP + row * ROW + 3}
                  width={COLUMN - 16}
                  height={ROW - 12}
                  rx={8}
                />
                <text className={has ? styles.mono : cx(styles.mono, styles.quiet)} x={x + 18} y={TOP + row * ROW + 25}>
                  {has ? `wrap for ${member}` : 'no share'}
                </text>
              </g>
            );
          })}
        </g>
      );
    })}
    <text className={styles.quiet} x={START + 8} y={HEIGHT - 6}>
      time →
    </text>
  </Picture>
);
