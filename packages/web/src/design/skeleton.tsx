// A grey placeholder with the size of content that is still loading. It appears only after 300 ms, so that it does not
// flash when the content is loaded quickly.
import styles from './skeleton.module.css';

export const Skeleton = ({ width, height }: { width: string; height: string }) => (
  <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
);
