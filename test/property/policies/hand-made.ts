import type { Catalogue, Declassifier, Policy, Spec } from '@plimsoll/contracts'
import type { NaiveHappening, NaiveProposal } from './naive/naive-history.js'
import { naiveAnswer, type NaiveQuestion } from './naive/naive-policy.js'

export const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'hand-made',
  tools: [
    {
      tools: ['read'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'trusted',
        reversibility: 'reversible',
        tags: ['pii'],
      },
    },
    {
      tools: ['look'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
    {
      tools: ['fetch'],
      labels: {
        capability: 'read',
        confidentiality: 'none',
        trust: 'untrusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['send', 'redact', 'pay'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ],
}

export const policyOf = (specs: readonly Spec[], declassifiers: readonly Declassifier[]): Policy => ({
  schema: 1,
  kind: 'plimsoll.policy',
  name: 'hand-made',
  declassifiers: [...declassifiers],
  specs: [...specs],
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  hazard: ['allow', 'allow', 'allow'],
  forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0 },
  unlabelled: { verdict: 'allow', labels: { capability: 'read', reversibility: 'reversible' } },
  approvals: { ttlSeconds: 60 },
})

/** `ran 1 read`, `ok 1`, `failed 1`, `blocked read`, `refused read` (must wait), `anyway 1 read`; one per second. */
type Line = string | ({ readonly line: string } & Partial<NaiveProposal>)

export function happeningsOf(lines: readonly Line[]): NaiveHappening[] {
  return lines.map((each, i) => {
    const { line, ...reported } = typeof each === 'string' ? { line: each } : each
    const [kind = '', first = '', second = ''] = line.split(' ')
    const time = 1000 * (i + 1)
    if (kind === 'ok' || kind === 'failed')
      return { kind: 'completed', callId: first, isOk: kind === 'ok', time, claimed: reported.claimed }
    if (kind === 'blocked' || kind === 'refused') {
      const step = { callId: 'b', tool: first, ...reported }
      return { kind: 'blocked', step, isWaiting: kind === 'refused', isFault: false, time }
    }
    return {
      kind: 'ran',
      step: { callId: first, tool: second, ...reported },
      anyway: kind === 'anyway',
      time,
    }
  })
}

export interface Case {
  readonly name: string
  readonly specs: readonly Spec[]
  readonly declassifiers?: readonly Declassifier[]
  readonly past: readonly Line[]
  /** The proposed tool, one second after the past. */
  readonly tool: string
  readonly reported?: Partial<NaiveProposal>
  readonly values?: NaiveQuestion['values']
  readonly readings?: NaiveQuestion['readings']
  /** `id verdict` of each matching spec, then the calls to wait for. */
  readonly expect: readonly string[]
}

export const values = (evidence: 'absent' | 'unknown') => ({ evidence, isTrusted: false })

/** `id verdict` of each spec that matches in a case, then the calls to wait for. */
export function answerTo({ specs, declassifiers = [], past, tool, reported, ...question }: Case): string[] {
  const documents = { policy: policyOf(specs, declassifiers), catalogue: CATALOGUE }
  const { matched } = naiveAnswer(documents, happeningsOf(past), {
    step: { callId: 'new', tool, ...reported },
    time: 1000 * (past.length + 1),
    values: values('unknown'),
    readings: {},
    ...question,
  })
  const said = matched.map(({ id, verdict }) => `${id} ${verdict}`)
  return [...said, ...matched.flatMap(({ waitFor }) => waitFor)]
}
