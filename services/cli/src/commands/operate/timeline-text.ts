import type { Decision, Event, EventOf, Reason, Risk } from '@plimsoll/contracts'
import type { Timeline, TimelineEntry } from '@plimsoll/operations'
import { plainText, timeText } from '../../format/text.js'

/** The events of a session, each with what was decided on it and why. */
export function timelineText({ entries, isWhole, isCut }: Timeline): string {
  if (entries.length === 0)
    return 'the log has no events of it in this time: look further back with `--since`\n'
  const notes = [
    ...(isCut ? ['earlier events are left out: there are too many\n'] : []),
    ...(isWhole || isCut ? [] : ['its start is further back: use `--since`\n']),
  ]
  return `${notes.join('')}${entries.map(entryText).join('')}`
}

const PAD = ' '.repeat(26)

function entryText({ timeMs, offset, event, decisions }: TimelineEntry): string {
  const what = event ? eventText(event) : `offset ${offset} is no event: \`plimsoll dlq list\` shows why`
  const lines = [`${timeText(timeMs)}  ${plainText(what)}\n`]
  for (const decision of decisions) lines.push(...decisionLines(decision))
  return lines.join('')
}

function eventText(event: Event): string {
  switch (event.type) {
    case 'session.started':
      return `started${event.category === undefined ? '' : `, ${event.category}`}`
    case 'session.instructed':
      return 'the user adds instructions'
    case 'step.proposed':
      return `proposes ${event.tool} (${event.callId})${ranText(event.withoutVerdict?.length ?? 0)}`
    case 'step.completed':
      return `completes ${event.tool} (${event.callId}): ${event.outcome}`
    case 'session.ended':
      return `ended${event.outcome === undefined ? '' : `: ${event.outcome}`}`
    case 'approval.resolved':
      return `${event.resolution}${event.scope === 'session' ? ' for the session' : ''} by ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'deadline.reached':
      return dueText(event.due)
    case 'approval.revoked':
      return `approval ${event.approval} revoked by ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'session.labelled':
      return `${outcomeText(event)} to ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'decision.appealed':
      return `${event.verdict} of ${event.tool} (${event.callId}) was wrong, ${event.expected} expected, to ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'declassification.granted':
      return `declassified for ${event.spec} by ${event.by}: ${event.reason}`
    case 'labels.refined':
      return `${event.tool} is ${labelsText(event)} to ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
  }
}

function dueText(due: EventOf<'deadline.reached'>['due']): string {
  if (due.kind === 'idle') return 'idle for too long'
  return due.kind === 'approval' ? 'no approval in time' : `${due.spec} was not fulfilled in time`
}

const outcomeText = ({ violated, callId }: EventOf<'session.labelled'>): string =>
  violated ? `did harm${callId === undefined ? '' : ` by ${callId}`}` : 'did no harm'

function labelsText({ labels, effect }: EventOf<'labels.refined'>): string {
  const { capability, confidentiality = 'nothing of note', trust = 'trusted', reversibility } = labels
  return `${capability}, ${confidentiality}, ${trust}, ${reversibility} (${effect})`
}

const ranText = (count: number): string => (count === 0 ? '' : `; ${count} ran without a verdict before`)

function decisionLines(decision: Decision): string[] {
  const { verdict, kind, mode, step, risk, reasons, alternative } = decision
  const notes = [
    ...(step > 0 ? [`step ${step}`] : []),
    ...(kind === 'step' ? [] : [kind]),
    ...(mode === 'observe' ? ['observed only'] : []),
    ...(risk
      ? [
          `${risk.level}, band ${risk.band}, p1 ${percent(risk.hazard)}, P(${risk.horizon}) ${percent(risk.probability)}${aheadText(risk)}`,
        ]
      : []),
  ]
  const lines = [
    `${PAD}→ ${verdict.padEnd(7)}  ${notes.join('; ')}`,
    ...reasons.map((reason) => `${PAD}    ${reasonText(reason)}`),
  ]
  if (alternative !== undefined) lines.push(`${PAD}    instead: ${alternative}`)
  return lines.map((line) => `${plainText(line)}\n`)
}

const aheadText = ({ stepsToViolation, pointOfNoReturn }: Risk): string =>
  [
    stepsToViolation === null ? '' : `, ${stepsToViolation.toFixed(1)} steps to a violation if one comes`,
    pointOfNoReturn === undefined ? '' : `, point of no return (${pointOfNoReturn} steps)`,
  ].join('')

/** A reason in one line. */
export function reasonText({ source, code, verdict, message, effect, liftedBy }: Reason): string {
  const lifted = liftedBy === undefined ? '' : ` (lifted by ${liftedBy})`
  return `${verdict} by ${source}:${code}: ${message}${effectText(effect)}${lifted}`
}

/** The effect behind a reason, by its number among those of the step; empty if there is none. */
export function effectText(effect: Reason['effect']): string {
  if (!effect) return ''
  const { act, object = 'object not known', reach = 'reach not known', certainty, at } = effect
  return ` [effect ${at + 1}: ${act}, ${object}, ${reach}, ${certainty}]`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
