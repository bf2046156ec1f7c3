import type { Declassifier, Policy, Spec, SpecOf, Verdict } from '@plimsoll/contracts'
import { compileExpression } from '../specs/expressions.js'
import { type Path, placedPatterns } from '../specs/walk.js'
import { type Finding, type LintCode, finding } from './findings.js'

type Flow = NonNullable<SpecOf<'blocklist'>['flow']>

/** Flows that cover less than they seem to, and declassifiers that change nothing. */
export function flowFindings({ specs, declassifiers = [] }: Policy): Finding[] {
  const flows = specs.flatMap((spec, i) =>
    'flow' in spec && spec.flow ? [{ flow: spec.flow, path: ['specs', i, 'flow'] }] : [],
  )
  const used = new Set(flows.flatMap(({ flow }) => flow.declassifiers ?? []))
  return [
    ...flows.flatMap(({ flow, path }) => [
      ...credentialFindings(flow, path),
      ...evidenceFindings(flow, path),
      ...idleFindings(flow, path, declassifiers),
    ]),
    ...declassifiers.flatMap(({ id, from, to }, i) => {
      const path = ['declassifiers', i]
      const unused = `no flow names \`${id}\`: name it under \`declassifiers\` of one, or take it out`
      const toTrusted = 'data does not carry the label `trusted`: leave `to` out to remove `untrusted`'
      return [
        ...(used.has(id) ? [] : [finding('declassifier-unused', path, unused)]),
        ...(from === 'untrusted' && to === 'trusted'
          ? [finding('endorser-to-trusted', [...path, 'to'], toTrusted)]
          : []),
      ]
    }),
  ]
}

function credentialFindings({ from: { confidentiality = [] } }: Flow, path: Path): Finding[] {
  if (!confidentiality.includes('sensitive') || confidentiality.includes('credentials')) return []
  const message = 'a flow from `sensitive` does not match `credentials`: list both'
  return [finding('flow-without-credentials', [...path, 'from', 'confidentiality'], message)]
}

function evidenceFindings({ from: { confidentiality, trust }, by }: Flow, path: Path): Finding[] {
  if (by !== 'values') return []
  const low = confidentiality?.filter((word) => word !== 'sensitive' && word !== 'credentials') ?? []
  const found = (message: string) => [finding('flow-never-silenced', [...path, 'by'], message)]
  if (!confidentiality && !trust)
    return found(
      'names neither a confidentiality nor a trust: no evidence covers it, so `by: values` is the same as `by: labels`',
    )
  if (low.length === 0) return []
  return found(
    `evidence covers sensitive data only: with \`${low.join('`, `')}\` named, \`by: values\` is the same as \`by: labels\`; make two flows of it`,
  )
}

function idleFindings(flow: Flow, path: Path, known: readonly Declassifier[]): Finding[] {
  const { confidentiality = [], trust = [], tags = [] } = flow.from
  const labels = new Set<string | undefined>([...confidentiality, ...trust, ...tags])
  if (labels.size === 0) return []
  const named = (flow.declassifiers ?? []).flatMap((id, n) => {
    const found = known.find((each) => each.id === id)
    return found ? [{ ...found, n }] : []
  })
  for (const { to } of named) labels.add(to)
  return named.flatMap(({ id, from, n }) => {
    const message = `\`${id}\` removes \`${from}\`, which this flow does not track`
    return labels.has(from) ? [] : [finding('declassifier-idle', [...path, 'declassifiers', n], message)]
  })
}

/** Conditions that are always the same, and settings without effect. */
export function conditionFindings(policy: Policy): Finding[] {
  return [
    ...placedPatterns(policy).flatMap(({ pattern: { where }, path }) => {
      const message = 'reads no argument: it gives the same for every step; read one as `args.name`'
      return where === undefined || compileExpression(where).reads.length > 0
        ? []
        : [finding('where-constant', [...path, 'where'], message)]
    }),
    ...policy.specs.flatMap((spec, i) => {
      const message = 'this spec has no window of steps: `counts` changes nothing'
      return spec.counts !== 'proposals' || hasStepWindow(spec)
        ? []
        : [finding('counts-without-window', ['specs', i, 'counts'], message)]
    }),
  ]
}

/** At any depth: only windows have `steps`. */
function hasStepWindow(spec: Spec): boolean {
  const search = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (Object.hasOwn(value, 'steps') || Object.values(value).some(search))
  return search(spec)
}

/** Settings that let risky steps run: the line, integrity, and irreversible steps. */
export function lineFindings({ line, integrity, irreversible }: Policy): Finding[] {
  const open = (code: LintCode, path: Path, verdict: Verdict, runs: string, use: string): Finding[] =>
    verdict === 'allow' || verdict === 'warn'
      ? [finding(code, path, `\`${path.join('.')}: ${verdict}\` lets ${runs}: use ${use}`)]
      : []
  const leaks = 'steps run that carry sensitive data out'
  const leaksPerhaps =
    'steps run that may carry sensitive data out, by reference or by code that is not understood'
  const directed = 'steps run that follow instructions in what was read'
  const unasked = 'deletions, payments and the like run that the task does not ask for'
  return [
    ...open('line-lets-leaks-run', ['line', 'present'], line.present, leaks, '`block` or `confirm`'),
    ...open('line-lets-unknown-run', ['line', 'unknown'], line.unknown, leaksPerhaps, '`confirm`'),
    ...(['instructed', 'irreversible'] as const).flatMap((by) =>
      integrity
        ? open('integrity-lets-run', ['integrity', by], integrity[by], directed, '`confirm` or `block`')
        : [],
    ),
    ...(integrity
      ? []
      : [
          finding(
            'integrity-lets-run',
            [],
            '`integrity` is left out: steps run that follow instructions in what was read. Add `integrity: { untrusted: warn, instructed: confirm, irreversible: block }`',
          ),
        ]),
    ...(irreversible === undefined
      ? [
          finding(
            'irreversible-lets-run',
            [],
            `\`irreversible\` is left out: ${unasked}. Add \`irreversible: confirm\``,
          ),
        ]
      : open('irreversible-lets-run', ['irreversible'], irreversible, unasked, '`confirm`')),
  ]
}
