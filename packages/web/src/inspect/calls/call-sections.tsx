// The details of a call, with one section for each kind.
import type { CallRecord } from '@sealpost/contract/workbench';
import { useInspector } from '../feed/store.ts';
import { JsonView } from '../parts/json-view.tsx';
import { placeAt } from '../parts/place.ts';
import { Pairs, Section } from '../parts/section.tsx';
import { Tag } from '../parts/tag.tsx';
import { bytes, dayAndTime, duration } from '../parts/times.ts';
import { StatusTag } from './call-row.tsx';
import styles from './call-sections.module.css';
import { SignatureSection } from './signature-section.tsx';

interface OfCall {
  readonly record: CallRecord;
}

export const CallSections = ({ record }: OfCall) => (
  <>
    <Summary record={record} />
    {record.error && <ErrorNote record={record} />}
    {record.fault !== undefined && <FaultNote id={record.fault} />}
    {record.signature && <SignatureSection finding={record.signature} />}
    {record.args && (
      <Section title="Arguments">
        {Object.keys(record.args).length === 0 ? (
          <p className={styles.quiet}>It takes none.</p>
        ) : (
          Object.entries(record.args).map(([name, value]) => (
            <div key={name} className={styles.argument}>
              <h4>{name}</h4>
              <JsonView label={`Argument ${name}`} text={JSON.stringify(value) ?? 'undefined'} />
            </div>
          ))
        )}
      </Section>
    )}
    {!record.args && record.body !== '' && <Content title="Body" text={record.body} form={record.bodyForm} />}
    <Content title="Answer" text={record.answer} form={record.answerForm} note={bytes(record.answerBytes)} />
    <Wrote record={record} />
    <Headers title="Headers" headers={record.headers} />
    {record.args && <Content title="Body as sent" text={record.body} form={record.bodyForm} open={false} />}
    <Headers title="Headers of the answer" headers={record.answerHeaders} />
  </>
);

function Summary({ record }: OfCall) {
  const { verb, path, time, durationMs, userid, mid, bodyBytes, answerBytes, remoteAddress, tag } = record;
  return (
    <div className={styles.summary}>
      <StatusTag call={record} />
      {tag !== undefined && <Tag look="quiet">{tag}</Tag>}
      <code>
        {verb} {path}
      </code>
      <p>
        {dayAndTime(time)} · {durationMs === undefined ? 'still running' : duration(durationMs)} ·{' '}
        {userid ?? mid ?? 'nobody logged in'} from {remoteAddress} · {bytes(bodyBytes)} sent, {bytes(answerBytes)}{' '}
        answered
      </p>
    </div>
  );
}

function ErrorNote({ record: { error } }: OfCall) {
  if (!error) return null;
  return (
    <div className={styles.error}>
      <p className={styles.strong}>
        {error.name || 'Error'} ({error.code}) {error.message}
      </p>
      {error.meaning !== '' && <p>{error.meaning}</p>}
    </div>
  );
}

function FaultNote({ id }: { readonly id: string }) {
  const rule = useInspector(({ faults }) => faults.find((fault) => fault.id === id)?.rule);
  return (
    <div className={styles.fault}>
      <p className={styles.strong}>
        Fault {id} changed this call. <a href={placeAt('server')}>See the faults</a>
      </p>
      {rule ? <code>{JSON.stringify(rule)}</code> : <p>It has ended since.</p>}
    </div>
  );
}

interface ContentProps {
  readonly title: string;
  readonly text: string;
  readonly form: CallRecord['bodyForm'];
  readonly note?: string;
  readonly open?: boolean;
}

const Content = ({ title, text, form, note, open = true }: ContentProps) => (
  <Section title={title} open={open} note={form === 'base64' ? 'not text; shown as base64' : note}>
    {text === '' ? <p className={styles.quiet}>Empty</p> : <JsonView label={title} text={text} />}
  </Section>
);

function Wrote({ record: { appended } }: OfCall) {
  return (
    <Section title="What it wrote" note={`${appended.length} operations`} open={appended.length > 0}>
      {appended.length === 0 ? (
        <p className={styles.quiet}>No operation was appended to any log.</p>
      ) : (
        <div className={styles.tableFrame}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col">As</th>
                <th scope="col">Operation</th>
                <th scope="col">Revision</th>
              </tr>
            </thead>
            <tbody>
              {appended.map(({ mid, userid, type, revision, to }) => (
                <tr key={`${mid} ${revision}`}>
                  <td>
                    <a href={placeAt('operations', mid)}>{userid ?? mid}</a>
                  </td>
                  <td>{to}</td>
                  <td>{type}</td>
                  <td>{revision}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

const Headers = ({ title, headers }: { readonly title: string; readonly headers: CallRecord['headers'] }) => (
  <Section title={title} note={String(headers.length)} open={false}>
    <Pairs pairs={headers.map(([name = '', value = '']) => [name, value] as const)} />
  </Section>
);
