import { styleText } from 'node:util'
import { VERDICTS, type Decision, type Reason, type Verdict } from '@plimsoll/contracts'

const COLOURS = {
  allow: 'green',
  warn: 'yellow',
  confirm: 'magenta',
  block: 'red',
} as const satisfies Record<Verdict, string>

/** One decision on one line: verdict, session, tool, level, P(h), the chief reason. */
export function decisionLine(decision: Decision, { colour }: { readonly colour: boolean }): string {
  const { verdict, sessionId, tool, risk } = decision
  const padded = verdict.padEnd(7)
  const chance = risk ? `P(${risk.horizon}) ${percent(risk.probability).padStart(6)}` : ''
  const columns = [
    colour ? styleText(COLOURS[verdict], padded) : padded,
    sessionId.padEnd(34),
    tool.padEnd(26),
    (risk?.level ?? '').padEnd(8),
    chance.padEnd(11),
    reasonText(decision),
  ]
  return `${columns.join(' ').trimEnd()}\n`
}

/** The reason that decided: the most severe of those that stand; where none does, the most severe of those lifted. */
export function chiefReason(reasons: readonly Reason[]): Reason | undefined {
  const severity = ({ verdict, liftedBy }: Reason) =>
    VERDICTS.indexOf(verdict) + (liftedBy === undefined ? VERDICTS.length : 0)
  return reasons.reduce<Reason | undefined>(
    (chief, reason) => (chief && severity(chief) >= severity(reason) ? chief : reason),
    undefined,
  )
}

function reasonText({ kind, reasons }: Decision): string {
  const told = kind === 'approval' ? ['after the review'] : []
  const chief = chiefReason(reasons)
  // What speaks for nothing explains nothing.
  if (chief && chief.verdict !== 'allow') told.push(`${chief.source}: ${chief.message}${liftedText(chief)}`)
  return told.join('; ')
}

const liftedText = ({ liftedBy }: Reason): string =>
  liftedBy === undefined ? '' : ` (lifted by ${liftedBy})`
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
