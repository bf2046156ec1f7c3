import type { Finding, Status } from '@plimsoll/operator'
import { plainText } from '../plain-text.js'

const WORDS: Readonly<Record<Status, readonly [one: string, many: string]>> = {
  ok: ['ok', 'ok'],
  warn: ['warning', 'warnings'],
  fail: ['failure', 'failures'],
}

/** A line a finding, its mend below it; a sum at the end. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => plainText(name).length))
  const indent = ' '.repeat(4 + 2 + width + 2)
  const lines = findings.map(({ status, name, what, mend }) => {
    const line = `${status.padEnd(4)}  ${plainText(name).padEnd(width)}  ${plainText(what)}\n`
    return mend === undefined ? line : `${line}${indent}→ ${plainText(mend)}\n`
  })
  return `${lines.join('')}\n${sumText(findings)}\n`
}

function sumText(findings: readonly Finding[]): string {
  const counts = (['ok', 'warn', 'fail'] as const).map((status) => {
    const count = findings.filter((finding) => finding.status === status).length
    return `${count} ${WORDS[status][count === 1 ? 0 : 1]}`
  })
  return counts.join(', ')
}
