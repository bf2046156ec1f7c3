import type { LocatedFinding, Severity } from '@plimsoll/policy'
import { plainText } from '../plain-text.js'

/** `policy.yaml:6:12: error requirement-without-spec: …`, a line each, as editors and terminals follow it; then how many there are. */
export function findingsText(findings: readonly LocatedFinding[], file: string): string {
  const lines = findings.map(({ severity, code, place, part, path, message }) => {
    const at = place ? `${place.line}:${place.column}` : path.join('.')
    const where = part === undefined ? '' : ` (${part})`
    return `${plainText(`${file}:${at}: ${severity} ${code}${where}: ${message}`)}\n`
  })
  return `${lines.join('')}${sumText(findings)}\n`
}

export function sumText(findings: readonly LocatedFinding[]): string {
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length
  return `${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes`
}
