// Writes the grades as one HTML page that needs no other file: no script and no font.
import { countsOf } from './report-json.ts';
import { byTopic } from './report-text.ts';
import type { GradedScenario, GradeReport } from './run.ts';

const words = { pass: 'pass', fail: 'fail', 'not reached': 'not reached' } as const;
const classes = { pass: 'pass', fail: 'fail', 'not reached': 'open' } as const;

export function gradesHtml({ client, graded, milliseconds }: GradeReport, repeat: (id: string) => string): string {
  const { passed, failed, notReached } = countsOf(graded);
  const title = `Grades of ${client}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
<main>
<h1>${escaped(title)}</h1>
<p class="sum"><b class="pass">${passed} passed</b> <b class="fail">${failed} failed</b> <b class="open">${notReached} not reached</b>
<span>${graded.length} scenarios in ${(milliseconds / 1000).toFixed(1)} s</span></p>
${bar(passed, failed, notReached)}
${notReached > 0 ? '<p>What was not reached is not known: it does not count as passed. Each such scenario says how to reach it.</p>' : ''}
<nav>${byTopic(graded)
    .map(([topic, own]) => `<a href="#${topic}">${topic} ${countsOf(own).passed}/${own.length}</a>`)
    .join(' ')}</nav>
${byTopic(graded)
  .map(([topic, own]) => section(topic, own, repeat))
  .join('\n')}
</main>
</html>
`;
}

function bar(passed: number, failed: number, notReached: number): string {
  const part = (name: string, count: number): string =>
    count > 0 ? `<i class="${name}" style="flex-grow:${count}"></i>` : '';
  const label = `${passed} passed, ${failed} failed, ${notReached} not reached`;
  return `<div class="bar" role="img" aria-label="${label}">${part('pass', passed)}${part('fail', failed)}${part('open', notReached)}</div>`;
}

function section(topic: string, graded: readonly GradedScenario[], repeat: (id: string) => string): string {
  return `<section id="${topic}"><h2>${topic}</h2>\n${graded.map((one) => entry(one, repeat)).join('\n')}\n</section>`;
}

function entry({ scenario, grade, output }: GradedScenario, repeat: (id: string) => string): string {
  const { basis, consequence, id, title } = scenario;
  const rule: Row = ['Specification', `${basis.heading}: ${basis.fact}`];
  const rows: Row[] =
    grade.kind === 'pass'
      ? [rule]
      : grade.kind === 'fail'
        ? [
            rule,
            ['Expected', grade.expected],
            ['Seen', grade.seen],
            ['A user sees', consequence],
            ['Again', repeat(id)],
          ]
        : [rule, ['Not reached', grade.instead], ['To reach it', grade.reach], ['Again', repeat(id)]];
  const list = rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('');
  const wrote = output === '' ? '' : `<pre>${escaped(output)}</pre>`;
  const mark = `<b class="${classes[grade.kind]}">${words[grade.kind]}</b>`;
  const open = grade.kind === 'fail' ? ' open' : '';
  return `<details id="${id}"${open}><summary>${mark} ${escaped(title)} <code>${id}</code></summary><dl>${list}</dl>${wrote}</details>`;
}

type Row = readonly [name: string, value: string];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

const style = `
:root{--pass:#1a7f37;--fail:#c62828;--open:#8a6100;--line:#8884}
@media (prefers-color-scheme:dark){:root{--pass:#4cc36a;--fail:#ff7b72;--open:#e0b040}}
body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2rem 0 .3rem;border-bottom:1px solid var(--line)}
.sum b{margin-right:1rem}
b.pass{color:var(--pass)}b.fail{color:var(--fail)}b.open{color:var(--open)}
.bar{display:flex;gap:2px;height:.8rem}
.bar i{border-radius:3px}
.bar .pass{background:var(--pass)}.bar .fail{background:var(--fail)}.bar .open{background:var(--open)}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1rem;margin-top:1rem}
details{border-bottom:1px solid var(--line);padding:.35rem 0}
summary{cursor:pointer}
summary code{opacity:.65;font-size:.85em}
dl{display:grid;grid-template-columns:8rem 1fr;gap:.2rem .8rem;margin:.5rem 0 .5rem 1rem}
dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
pre{margin:.5rem 0 .5rem 1rem;padding:.5rem;border:1px solid var(--line);overflow:auto;font-size:.8rem}
@media (max-width:40rem){dl{grid-template-columns:1fr}dt{margin-top:.3rem}}
`;
