import type { Trace, TraceStep } from '@plimsoll/policy'
import { plainText } from '../plain-text.js'

/** A run, a line a move. */
export const traceText = (trace: Trace): string[] => trace.map((step, i) => `    ${i + 1}. ${lineOf(step)}`)

function lineOf(step: TraceStep): string {
  const { event, tool = '', outcome, claims } = step
  if (event === 'ended') return 'the session ends'
  const claimed = claims ? `, told to be ${labelsText(claims)}` : ''
  if (event === 'completed')
    return plainText(`${tool} came back ${outcome === 'ok' ? 'well' : 'with an error'}${claimed}`)
  return plainText(`${tool}${claimed}${detailsText(step)} → ${verdictText(step)}`)
}

function detailsText({ recipient, where = {}, evidence, expired = [] }: TraceStep): string {
  const details = [
    ...(recipient ? [`to ${recipient}`] : []),
    ...Object.entries(where).map(([text, holds]) => `${holds ? '' : 'not '}${text}`),
    ...(evidence ? [`evidence ${evidence}`] : []),
    ...(expired.length > 0 ? [`after the windows of ${expired.join(', ')}`] : []),
  ]
  return details.length > 0 ? ` (${details.join('; ')})` : ''
}

function verdictText({ verdict, reasons = [], approved, withoutVerdict, outcome }: TraceStep): string {
  if (withoutVerdict) return `run without a verdict${outcome === 'ok' ? ', and back well' : ''}`
  const why = reasons.map(({ source, code }) => `${source} ${code}`).join(', ')
  return `${verdict ?? 'run'}${why === '' ? '' : ` [${why}]`}${approved ? ', a human approves' : ''}`
}

const labelsText = (labels: Readonly<Record<string, unknown>>): string =>
  Object.values(labels).flat().join(', ')
