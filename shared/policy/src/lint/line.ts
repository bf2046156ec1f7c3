import type { Policy, Verdict } from '@plimsoll/contracts'
import type { Finding, LintCode } from './finding.js'

const isOpen = (verdict: Verdict): boolean => verdict === 'allow' || verdict === 'warn'

const found = (code: LintCode, path: readonly PropertyKey[], message: string): Finding => ({
  code,
  path,
  message,
})

/** What the document says of the two lines: data that is let out, and steps that others direct or that cannot be taken back. */
export function lineFindings({ line, integrity, irreversible }: Policy): Finding[] {
  const findings: Finding[] = []
  if (isOpen(line.present))
    findings.push(
      found(
        'line-lets-leaks-run',
        ['line', 'present'],
        `\`line.present: ${line.present}\` lets steps run that carry sensitive data out: use \`block\` or \`confirm\``,
      ),
    )
  if (isOpen(line.unknown))
    findings.push(
      found(
        'line-lets-unknown-run',
        ['line', 'unknown'],
        `\`line.unknown: ${line.unknown}\` lets steps run that may carry sensitive data out, by reference or by code that is not understood: use \`confirm\``,
      ),
    )
  return [...findings, ...integrityFindings(integrity), ...irreversibleFindings(irreversible)]
}

function integrityFindings(integrity: Policy['integrity']): Finding[] {
  if (!integrity)
    return [
      found(
        'integrity-lets-run',
        [],
        '`integrity` is left out: steps run that follow instructions in what was read. Add `integrity: { untrusted: warn, instructed: confirm, irreversible: block }`',
      ),
    ]
  return (['instructed', 'irreversible'] as const)
    .filter((by) => isOpen(integrity[by]))
    .map((by) =>
      found(
        'integrity-lets-run',
        ['integrity', by],
        `\`integrity.${by}: ${integrity[by]}\` lets steps run that follow instructions in what was read: use \`confirm\` or \`block\``,
      ),
    )
}

function irreversibleFindings(irreversible: Policy['irreversible']): Finding[] {
  if (irreversible === undefined)
    return [
      found(
        'irreversible-lets-run',
        [],
        '`irreversible` is left out: deletions, payments and the like run that the task does not ask for. Add `irreversible: confirm`',
      ),
    ]
  if (!isOpen(irreversible)) return []
  return [
    found(
      'irreversible-lets-run',
      ['irreversible'],
      `\`irreversible: ${irreversible}\` lets deletions, payments and the like run that the task does not ask for: use \`confirm\``,
    ),
  ]
}
