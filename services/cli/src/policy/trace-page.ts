import type { HazardRow, LocatedFinding, Traceability } from '@plimsoll/policy'
import { sumText } from './findings-text.js'

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#1b2733}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{border:1px solid #cfd8e0;padding:.35rem .6rem;text-align:left;vertical-align:top}
th{background:#eef3f7}td.mark{text-align:center;color:#0b6e4f}td.none{background:#fff1f0}code{background:#eef3f7;padding:0 .2em}
.error{color:#b3261e}.warning{color:#8a5a00}.note{color:#47607a}`

/** From losses to specs, as one page that needs nothing else. */
export function tracePage(name: string, trace: Traceability, findings: readonly LocatedFinding[]): string {
  const { hazards, requirements, specs } = trace
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Plimsoll: ${escaped(name)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(name)}: from losses to specs</h1>
${hazards.length > 0 ? hazardTable(hazards) : '<p>The policy has no analysis.</p>'}
<h2>Requirements and specs</h2>
<table><thead><tr><th>spec</th><th>tier</th>${requirements.map(({ id, text }) => `<th title="${escaped(text)}">${escaped(id)}</th>`).join('')}</tr></thead><tbody>
${specs
  .map(
    (spec) =>
      `<tr><td><code>${escaped(spec.id)}</code></td><td>${spec.tier}</td>${requirements.map(({ id }) => `<td class="mark">${spec.requirements.includes(id) ? '●' : ''}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>
<h2>Findings</h2><p>${sumText(findings)}</p><ul>
${findings.map(findingItem).join('\n')}
</ul></body></html>
`
}

const hazardTable = (hazards: readonly HazardRow[]): string =>
  `<table><thead><tr>${['losses', 'hazard', 'can be verified', 'unsafe control actions', 'requirements', 'specs'].map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
${hazards
  .map(
    ({ losses, hazard, isReached, actions, requirements, specs }) =>
      `<tr>${[items(losses), items([hazard]), isReached ? 'yes' : 'no', items(actions), items(requirements), specs.map((id) => `<code>${escaped(id)}</code>`).join(' ')].map((cell) => `<td${cell === '' ? ' class="none"' : ''}>${cell}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>`

const items = (list: readonly { readonly id: string; readonly text: string }[]): string =>
  list.map(({ id, text }) => `<b>${escaped(id)}</b> ${escaped(text)}`).join('<br>')

const findingItem = ({ severity, code, place, part, message }: LocatedFinding): string =>
  `<li class="${severity}">${severity} <code>${code}</code>${place ? `, line ${place.line}` : ''}${part === undefined ? '' : `, ${escaped(part)}`}: ${escaped(message)}</li>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
