// A grey place where content will be, of the final size. It appears after 300 ms only, so quick loads do not flash.
import styles from './skeleton.module.css';

export const Skeleton = ({ width, height }: { width: string; height: string }) => (
  <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
);
