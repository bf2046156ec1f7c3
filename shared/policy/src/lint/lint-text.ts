import {
  type SpecOf,
  type ConditionsOf,
  type Catalogue,
  type Policy,
  type Run,
  type Spec,
  type StepPattern,
  PlimsollError,
} from '@plimsoll/contracts'
import { allHandled } from '../specs/conditions.js'
import { parseText } from '../document/documents.js'
import { type Inspected, inspectPolicy } from '../document/inspect-policy.js'
import { type Place, createPlaces, partAt } from '../document/problems.js'
import { assertKind } from '../document/text-file.js'
import { patternOf } from '../specs/walk.js'
import { normalised } from '../verify/hazards/restated.js'
import { type Finding, type Severity, LINT_CODES, finding } from './findings.js'
import { conditionFindings, flowFindings, lineFindings } from './flows.js'
import { tierFindings } from './tiers.js'
import { toolFindings } from './tools.js'
import { traceFindings } from './trace.js'

/** Hazards that restate a spec: verifying them would prove nothing. */
function restatedFindings({ analysis, specs }: Policy): Finding[] {
  const prevented = new Map<string, string>()
  for (const spec of specs) for (const run of runsOf(spec)) prevented.set(keyOf(run), spec.id)
  return (analysis?.hazards ?? []).flatMap(({ id, reached }, i): Finding[] => {
    const spec = reached && prevented.get(keyOf(reached))
    if (spec === undefined) return []
    const message = `\`${id}\` restates \`${spec}\`, so verifying it proves nothing: describe by labels what must not happen; if the spec uses the same labels, list its tools in it`
    return [finding('hazard-restates-spec', ['analysis', 'hazards', i, 'reached'], message)]
  })
}

function keyOf(run: Run): string {
  if ('endsAfter' in run) return JSON.stringify(['ends', normalised(run.endsAfter), normalised(run.without)])
  return JSON.stringify([
    'sequence',
    run.sequence.map(normalised),
    run.unless ? normalised(run.unless) : null,
  ])
}

/** The runs that a spec prevents. */
function runsOf(spec: Spec): Run[] {
  const own = patternOf(spec)
  const sequence = (...steps: StepPattern[]): Run => ({ sequence: steps })
  if (spec.tier === 'allowlist') return []
  if (spec.tier === 'mustlist') {
    const { followedBy, requires: _, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
    allHandled(others)
    if (!followedBy) return []
    return [
      { endsAfter: own, without: followedBy.step },
      { ...sequence(own), unless: followedBy.step },
    ]
  }
  const { flow, after, between, atMost, before: _, ...counters }: ConditionsOf<SpecOf<'blocklist'>> = spec
  const { sum: _sum, distinct: _distinct, fleet: _fleet, ...others } = counters
  allHandled(others)
  if (flow) return [sequence(flow.from, flow.to)]
  if (after) return [sequence(after, own)]
  if (between) return [{ ...sequence(between.from, own), unless: between.to }]
  if (atMost) return [sequence(...Array.from({ length: Math.min(atMost.times, 16) + 1 }, () => own))]
  return [sequence(own)]
}

/**
 * Lints a valid policy: whether its analysis traces every loss to specs, whether its specs contradict each other, and, given a catalogue,
 * whether its patterns match any tool.
 */
export function lintPolicy(policy: Policy, catalogue?: Catalogue): Finding[] {
  return [
    ...traceFindings(policy),
    ...restatedFindings(policy),
    ...lineFindings(policy),
    ...flowFindings(policy),
    ...tierFindings(policy),
    ...conditionFindings(policy),
    ...(catalogue ? toolFindings(policy, catalogue) : []),
  ]
}

/** A finding and its place in the text. */
export interface LocatedFinding extends Finding {
  readonly severity: Severity
  /** Undefined where the document is one line. */
  readonly place: Place | undefined
  /** The part of the document, by its id, as in `spec \`no-drop\``. */
  readonly part: string | undefined
}

export interface LintReport {
  /** In the order of the document. */
  readonly findings: readonly LocatedFinding[]
  /** Undefined where the document is not a valid policy; `findings` say why. */
  readonly policy: Policy | undefined
}

/** Lints the text of a policy, YAML or JSON. Errors show `name`. Throws `document_invalid` only for what is plainly no policy. */
export function lintText(text: string, name: string, catalogue?: Catalogue): LintReport {
  let content: unknown
  try {
    content = parseText(text, name)
  } catch (error) {
    return unreadable(error)
  }
  assertKind(content, 'plimsoll.policy', name)
  const inspected = inspectPolicy(content)
  const { policy } = inspected
  const found: readonly Finding[] = inspected.policy
    ? lintWritten(inspected, catalogue)
    : inspected.problems.map((problem) => ({ code: 'invalid', ...problem }))
  const placeOf = createPlaces(text)
  const findings = found.map((finding): LocatedFinding => {
    const { code, path } = finding
    return { ...finding, severity: LINT_CODES[code], place: placeOf(path), part: partAt(path, content) }
  })
  return { findings: findings.toSorted(byPlace), policy }
}

/**
 * The findings that the author of an expanded policy can act on. Of parts of packs only errors: packs are linted on their own, and name
 * more tools than a catalogue has. Without an analysis of the author's own, specs need no requirement.
 */
function lintWritten(inspected: Inspected, catalogue: Catalogue | undefined): Finding[] {
  const { policy, writtenPath, isOfPack, hasAnalysis } = inspected
  const isWanted = ({ code, path }: Finding): boolean =>
    (!isOfPack(path) || LINT_CODES[code] === 'error') && (hasAnalysis || code !== 'spec-without-requirement')
  const isWithout =
    !hasAnalysis && policy.analysis !== undefined && policy.specs.some((_, i) => !isOfPack(['specs', i]))
  return [
    ...(isWithout ? traceFindings({ specs: policy.specs }) : []),
    ...lintPolicy(policy, catalogue).filter(isWanted),
  ].map((finding) => ({ ...finding, path: writtenPath(finding.path) }))
}

function unreadable(error: unknown): LintReport {
  if (!(error instanceof PlimsollError)) throw error
  const { message } = error
  const [, line, column] = /at line (\d+), column (\d+)/.exec(message) ?? []
  const place = line && column ? { line: Number(line), column: Number(column) } : undefined
  const unparsed = { ...finding('invalid', [], message), severity: 'error', place, part: undefined } as const
  return { findings: [unparsed], policy: undefined }
}

const byPlace = (a: LocatedFinding, b: LocatedFinding): number =>
  (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0)
