// A picture of the calls between two users and the server until a sealed message is opened.
import { Picture } from './picture.tsx';
import styles from './pictures.module.css';

const actors = [
  ['Ann', 70],
  ['Server', 320],
  ['Ben', 570],
] as const;
type Actor = (typeof actors)[number][0];

type Event =
  | { readonly from: Actor; readonly to: Actor; readonly text: string }
  | { readonly at: Actor; readonly text: string };

const events: readonly Event[] = [
  { from: 'Ben', to: 'Server', text: 'registerE2EEPublicKey' },
  { from: 'Ann', to: 'Server', text: 'negotiateE2EEPublicKey' },
  { from: 'Server', to: 'Ann', text: 'Ben’s key, its id, allowed types' },
  { at: 'Ann', text: 'S = X25519; seals' },
  { from: 'Ann', to: 'Server', text: 'sendMessage: five chunks' },
  { from: 'Server', to: 'Ben', text: 'operation with the message' },
  { from: 'Ben', to: 'Server', text: 'getE2EEPublicKey: Ann, id' },
  { at: 'Ben', text: 'same S; opens' },
];

const [WIDTH, TOP, STEP] = [640, 64, 42];
const HEIGHT = TOP + events.length * STEP + 8;
const placeOf = (actor: Actor): number => actors.find(([name]) => name === actor)?.[1] ?? 0;

export const NegotiationPicture = () => (
  <Picture title="Ann negotiates with the server, seals a message, and Ben opens it" width={WIDTH} height={HEIGHT}>
    {actors.map(([name, x]) => (
      <g key={name}>
        <line className={styles.life} x1={x} x2={x} y1={36} y2={HEIGHT - 4} />
        <rect className={styles.box} x={x - 44} y={6} width={88} height={30} rx={8} />
        <text className={styles.strong} x={x} y={26} textAnchor="middle">
          {name}
        </text>
      </g>
    ))}
    {events.map((event, at) => (
      <EventAt key={event.text} event={event} y={TOP + at * STEP + 12} />
    ))}
  </Picture>
);

function EventAt({ event, y }: { readonly event: Event; readonly y: number }) {
  if ('at' in event) {
    const x = placeOf(event.at);
    return (
      <g>
        <rect className={styles.note} x={x - 66} y={y - 18} width={132} height={28} rx={6} />
        <text className={styles.onNote} x={x} y={y + 1} textAnchor="middle">
          {event.text}
        </text>
      </g>
    );
  }
  const [start, end] = [placeOf(event.from), placeOf(event.to)];
  const forward = Math.sign(end - start);
  const tip = end - forward * 3;
  return (
    <g>
      <line className={styles.arrow} x1={start + forward * 3} x2={tip - forward * 6} y1={y} y2={y} />
      <path className={styles.head} d={`M${tip} ${y}l${-forward * 9} -5v10z`} />
      <text className={styles.mono} x={(start + end) / 2} y={y - 7} textAnchor="middle">
        {event.text}
      </text>
    </g>
  );
}
