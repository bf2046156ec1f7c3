import type { Declassifier, Policy, Spec, SpecOf } from '@plimsoll/contracts'

type Flow = NonNullable<SpecOf<'blocklist'>['flow']>

/** Flows that say less than they seem to, and declassifiers that change nothing. */
export function flowFindings({ specs, declassifiers = [] }: Policy): Finding[] {
  const flows = specs.flatMap((spec, i) => {
    const flow = flowOf(spec)
    return flow ? [{ flow, path: ['specs', i, 'flow'] }] : []
  })
  const used = new Set(flows.flatMap(({ flow }) => flow.declassifiers ?? []))
  return [
    ...flows.flatMap(({ flow, path }) => [
      ...credentialFindings(flow, path),
      ...silenceFindings(flow, path),
      ...idleFindings(flow, path, declassifiers),
    ]),
    ...declassifiers.flatMap((declassifier, i) => ownFindings(declassifier, ['declassifiers', i], used)),
  ]
}

const flowOf = (spec: Spec): Flow | undefined => ('flow' in spec ? spec.flow : undefined)

function credentialFindings({ from }: Flow, path: readonly PropertyKey[]): Finding[] {
  const { confidentiality = [] } = from
  if (!confidentiality.includes('sensitive') || confidentiality.includes('credentials')) return []
  const message =
    'a flow from `sensitive` lets `credentials` pass: confidentialities are these very ones, so name both'
  return [{ code: 'flow-without-credentials', path: [...path, 'from', 'confidentiality'], message }]
}

function silenceFindings({ from, by }: Flow, path: readonly PropertyKey[]): Finding[] {
  if (by !== 'values') return []
  const { confidentiality, trust } = from
  const low = confidentiality?.filter((word) => word !== 'sensitive' && word !== 'credentials') ?? []
  const code = 'flow-never-silenced'
  if (!confidentiality && !trust)
    return [
      {
        code,
        path: [...path, 'by'],
        message:
          'names neither a confidentiality nor a trust: no evidence covers it, so `by: values` is the same as `by: labels`',
      },
    ]
  if (low.length === 0) return []
  const message = `evidence is of sensitive data alone: with \`${low.join('`, `')}\` named, \`by: values\` is as \`by: labels\`; make two flows of it`
  return [{ code, path: [...path, 'by'], message }]
}

function idleFindings(flow: Flow, path: readonly PropertyKey[], known: readonly Declassifier[]): Finding[] {
  const { confidentiality = [], trust = [], tags = [] } = flow.from
  const labels = new Set<string>([...confidentiality, ...trust, ...tags])
  if (labels.size === 0) return []
  const named = (flow.declassifiers ?? []).flatMap((id, n) => {
    const found = known.find((each) => each.id === id)
    return found ? [{ ...found, n }] : []
  })
  const reachable = new Set([...labels, ...named.map(({ to }) => to)])
  return named
    .filter(({ from }) => !reachable.has(from))
    .map(({ id, from, n }) => ({
      code: 'declassifier-idle' as const,
      path: [...path, 'declassifiers', n],
      message: `\`${id}\` takes \`${from}\` away, which this flow is not about`,
    }))
}

function ownFindings(
  { id, from, to }: Declassifier,
  path: readonly PropertyKey[],
  used: ReadonlySet<string>,
): Finding[] {
  const unused: Finding = {
    code: 'declassifier-unused',
    path,
    message: `no flow counts \`${id}\`: name it under \`declassifiers\` of one, or take it out`,
  }
  const toTrusted: Finding = {
    code: 'endorser-to-trusted',
    path: [...path, 'to'],
    message:
      '`trusted` is no label that data carries away: leave `to` out, and nothing is left of `untrusted`',
  }
  return [...(used.has(id) ? [] : [unused]), ...(from === 'untrusted' && to === 'trusted' ? [toTrusted] : [])]
}

/** `error`: the policy does not do what it says, or its analysis has a hole. `warning`: hardly meant. `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** What reading a policy closely finds; every code with what to do is in docs/reference/policies.md. */
export const LINT_CODES = {
  invalid: 'error',
  'requirement-without-spec': 'error',
  'hazard-without-requirement': 'error',
  'loss-without-hazard': 'error',
  'hazard-restates-spec': 'error',
  'required-and-blocked': 'error',
  'requires-circle': 'error',
  'spec-without-requirement': 'warning',
  'action-without-requirement': 'warning',
  'hazard-not-reached': 'warning',
  'stakeholder-without-loss': 'note',
  'no-analysis': 'note',
  'line-lets-leaks-run': 'error',
  'line-lets-unknown-run': 'warning',
  'integrity-lets-run': 'warning',
  'irreversible-lets-run': 'warning',
  'flow-without-credentials': 'warning',
  'flow-never-silenced': 'warning',
  'declassifier-unused': 'warning',
  'declassifier-idle': 'warning',
  'endorser-to-trusted': 'warning',
  'lifts-nothing': 'warning',
  'spec-shadowed': 'warning',
  'where-constant': 'warning',
  'counts-without-window': 'warning',
  'matches-no-tool': 'warning',
  'label-of-no-tool': 'warning',
  'label-left-out': 'warning',
} as const satisfies Record<string, Severity>
export type LintCode = keyof typeof LINT_CODES

export interface Finding {
  readonly code: LintCode
  /** From the document's root. */
  readonly path: readonly PropertyKey[]
  /** One line: what was found, and what to do. */
  readonly message: string
}
