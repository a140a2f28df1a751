// Grades for clients: a server plays scenarios, and watches what a client does.
export type { ClientEnvironment, ClientUnderTest, RunningClient } from './client.ts';
export { CommandNotStarted, commandClient } from './command-client.ts';
export { gradesHtml } from './report-html.ts';
export { countsOf, gradesJson } from './report-json.ts';
export { gradesJunit } from './report-junit.ts';
export { gradesText } from './report-text.ts';
export { type Grade, type GradedScenario, type GradeOptions, type GradeReport, gradeClient } from './run.ts';
export { type Basis, type Scenario, type ScenarioTopic, scenarioTopics } from './scenario.ts';
export { scenarios, selectScenarios, UnknownScenario } from './scenarios.ts';
