import type { Decision, EventOf, Reason } from '@plimsoll/contracts'
import type { ExitCode } from '../command.js'
import { plainText } from '../plain-text.js'
import type { MonitorAnswer } from './answer.js'

export type Resolution = EventOf<'approval.resolved'>['resolution']

/** What the command ends with; a failure is one line for stderr. */
export interface Verdict {
  readonly exitCode: ExitCode
  readonly text: string
  readonly failure?: string
}

/** What became of an approval that was published; `answer` is undefined where no monitor told within `waitSeconds`. */
export function verdictOn(
  answer: MonitorAnswer | undefined,
  resolution: Resolution,
  waitSeconds: number,
): Verdict {
  if (!answer)
    return failed('', `published, but no monitor answered in time (${waitSeconds} s): it may still count`)
  if (answer.kind === 'dead_letter') return failed('', `${answer.code}: ${answer.message}`)
  const { decision } = answer
  const text = decisionText(decision)
  const { verdict, id } = decision
  if (verdict === 'confirm') return failed(text, `the step waits for an answer again, to decision \`${id}\``)
  if (verdict === 'block' && resolution === 'approved')
    return failed(text, 'the step stays blocked although it was approved')
  return { exitCode: 0, text }
}

const failed = (text: string, failure: string): Verdict => ({ exitCode: 1, text, failure })

function decisionText({ verdict, reasons }: Decision): string {
  const rows = [
    ['verdict', verdict] as const,
    ...reasons.map((each) => ['reason', reasonText(each)] as const),
  ]
  return rows.map(([name, value]) => `${name.padEnd(20)}  ${plainText(value)}\n`).join('')
}

function reasonText({ source, code, message, liftedBy }: Reason): string {
  return `${source}:${code}: ${message}${liftedBy === undefined ? '' : ` (lifted by ${liftedBy})`}`
}
