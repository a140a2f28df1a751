// Grades a client: `sealpost conformance --client -- <command>`.
import { CliError, exitCodes } from '../exit-codes.ts';
import { reportTo } from '../report-file.ts';
import { table } from '../table.ts';

export const gradeForms = ['text', 'json', 'junit', 'html'] as const;

export interface ClientGradeOptions {
  readonly only?: readonly string[];
  readonly report: (typeof gradeForms)[number];
  readonly output?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  /** Seconds that the client may take for each expected step. */
  readonly patience: number;
  readonly parallel: number;
}

/** Loads the scenarios only for this command, so that other commands start faster. */
const loadGrades = () => import('@sealpost/testing/grades');

export async function conformanceOfClient(command: readonly string[], options: ClientGradeOptions): Promise<void> {
  const grades = await loadGrades();
  const scenarios = await selected(options.only);
  if (options.list) return reportTo(options.output)(listOf(scenarios, options));
  if (command.length === 0) {
    throw new CliError('Which client? Give its command behind two dashes: -- python3 bot.py', exitCodes.usage);
  }
  const give = reportTo(options.output);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const report = await grades
    .gradeClient({
      client: grades.commandClient(command),
      name: command.join(' '),
      scenarios,
      patienceMs: options.patience * 1000,
      parallel: options.parallel,
      signal: interrupted.signal,
    })
    .catch((error: unknown) => {
      throw error instanceof grades.CommandNotStarted ? new CliError(error.message, exitCodes.usage) : error;
    });
  give(await textOf(report, command, options));
  const { failed, notReached } = grades.countsOf(report.graded);
  if (interrupted.signal.aborted) throw new CliError('Interrupted; the report has what was graded until then.');
  if (failed > 0) throw new CliError(`${failed} of ${report.graded.length} scenarios failed.`);
  if (notReached === report.graded.length) {
    throw new CliError(
      'No scenario was reached: nothing is known about this client. The report says how to reach each.',
    );
  }
}

type Grades = Awaited<ReturnType<typeof loadGrades>>;
type Scenarios = Grades['scenarios'];
type Report = Awaited<ReturnType<Grades['gradeClient']>>;

async function selected(only: readonly string[] = []): Promise<Scenarios> {
  const { selectScenarios, UnknownScenario } = await loadGrades();
  try {
    return selectScenarios(only);
  } catch (error) {
    if (error instanceof UnknownScenario) throw new CliError(error.message, exitCodes.usage);
    throw error;
  }
}

function listOf(scenarios: Scenarios, options: ClientGradeOptions): string {
  if (options.json || options.report === 'json') {
    const listed = scenarios.map(({ play: _play, settings: _settings, ...scenario }) => scenario);
    return `${JSON.stringify({ scenarios: listed })}\n`;
  }
  const rows = scenarios.map(({ id, basis, title }) => [id, basis.heading, title]);
  return `${table(['SCENARIO', 'SPECIFICATION', 'A RIGHT CLIENT'], rows)}\n`;
}

async function textOf(report: Report, command: readonly string[], options: ClientGradeOptions): Promise<string> {
  const { gradesHtml, gradesJson, gradesJunit, gradesText } = await loadGrades();
  const repeat = (id: string): string => `sealpost conformance --client --only ${id} -- ${command.join(' ')}`;
  const forms = {
    text: gradesText,
    junit: gradesJunit,
    html: gradesHtml,
    json: (...args: Parameters<typeof gradesJson>) => `${JSON.stringify(gradesJson(...args))}\n`,
  };
  return forms[options.json ? 'json' : options.report](report, repeat);
}
