import type { HazardRow, LocatedFinding, Traceability } from '@plimsoll/policy'
import { plainText } from '../format/text-table.js'

/** From losses to specs, as Markdown. */
export function traceMarkdown(
  name: string,
  { hazards, requirements, specs }: Traceability,
  findings: readonly LocatedFinding[],
): string {
  const parts = [
    `# ${cell(name)}: from losses to specs`,
    ...(hazards.length > 0 ? ['', ...hazardTable(hazards)] : []),
    ...(specs.length > 0
      ? [
          '',
          '## Requirements and specs',
          '',
          ...table(['spec', 'tier', ...requirements.map(({ id }) => cell(id))], specRows()),
        ]
      : []),
    '',
    '## Findings',
    '',
    ...(findings.length === 0 ? ['None.'] : findings.map(findingLine)),
  ]
  return `${parts.join('\n')}\n`

  function specRows(): string[][] {
    return specs.map((spec) => [
      code(spec.id),
      spec.tier,
      ...requirements.map(({ id }) => (spec.requirements.includes(id) ? '●' : '')),
    ])
  }
}

const hazardTable = (hazards: readonly HazardRow[]): string[] =>
  table(
    ['losses', 'hazard', 'can be verified', 'unsafe control actions', 'requirements', 'specs'],
    hazards.map(({ losses, hazard, isReached, actions, requirements, specs }) => [
      items(losses),
      items([hazard]),
      isReached ? 'yes' : 'no',
      items(actions),
      items(requirements),
      specs.map(code).join(', '),
    ]),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

const items = (list: readonly { readonly id: string; readonly text: string }[]): string =>
  list.map(({ id, text }) => `**${cell(id)}** ${cell(text)}`).join('<br>')

const findingLine = ({ severity, code: found, place, part, message }: LocatedFinding): string =>
  `- ${severity} \`${found}\`${place ? `, line ${place.line}` : ''}${part === undefined ? '' : `, ${plainText(part)}`}: ${plainText(message)}`

const code = (id: string): string => `\`${id}\``

/** What Markdown would read as its own. */
const cell = (text: string): string => plainText(text).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`)
