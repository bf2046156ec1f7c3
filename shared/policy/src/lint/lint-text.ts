import {
  type Catalogue,
  type Policy,
  type Run,
  type Spec,
  type StepPattern,
  type Verdict,
  PlimsollError,
} from '@plimsoll/contracts'
import { type Inspected, inspectPolicy } from '../document/inspect-policy.js'
import { parseText } from '../document/documents.js'
import { compileExpression } from '../specs/expressions.js'
import { type Place, createPlaces } from '../document/places.js'
import { partAt } from '../document/problems.js'
import { type Finding, type LintCode, type Severity, LINT_CODES, flowFindings } from './flows.js'
import { normalised, patternOf } from './patterns.js'
import { tierFindings } from './tiers.js'
import { toolFindings } from './tools.js'
import { traceFindings } from './trace.js'
import { patternsIn } from '../specs/walk.js'

/** Conditions that are always the same, and settings without what they set. */
export function conditionFindings(policy: Policy): Finding[] {
  return [
    ...patternsIn(policy).flatMap(({ pattern: { where }, path }): Finding[] =>
      where === undefined || compileExpression(where).reads.length > 0
        ? []
        : [
            {
              code: 'where-constant',
              path: [...path, 'where'],
              message: 'reads no argument: it gives the same for every step; read one as `args.name`',
            },
          ],
    ),
    ...policy.specs.flatMap((spec, i): Finding[] =>
      spec.counts === 'proposals' && !hasStepWindow(spec)
        ? [
            {
              code: 'counts-without-window',
              path: ['specs', i, 'counts'],
              message: 'no window of this spec is one of steps: `counts` changes nothing',
            },
          ]
        : [],
    ),
  ]
}

/** At any depth: windows are the only things with `steps`. */
function hasStepWindow(spec: Spec): boolean {
  const search = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (Object.hasOwn(value, 'steps') || Object.values(value).some(search))
  return search(spec)
}

const isOpen = (verdict: Verdict): boolean => verdict === 'allow' || verdict === 'warn'

const found = (code: LintCode, path: readonly PropertyKey[], message: string): Finding => ({
  code,
  path,
  message,
})

/** What the document says of the two lines: data that is let out, and steps that others direct or that cannot be taken back. */
export function lineFindings({ line, integrity, irreversible }: Policy): Finding[] {
  const findings: Finding[] = []
  if (isOpen(line.present))
    findings.push(
      found(
        'line-lets-leaks-run',
        ['line', 'present'],
        `\`line.present: ${line.present}\` lets steps run that carry sensitive data out: use \`block\` or \`confirm\``,
      ),
    )
  if (isOpen(line.unknown))
    findings.push(
      found(
        'line-lets-unknown-run',
        ['line', 'unknown'],
        `\`line.unknown: ${line.unknown}\` lets steps run that may carry sensitive data out, by reference or by code that is not understood: use \`confirm\``,
      ),
    )
  return [...findings, ...integrityFindings(integrity), ...irreversibleFindings(irreversible)]
}

function integrityFindings(integrity: Policy['integrity']): Finding[] {
  if (!integrity)
    return [
      found(
        'integrity-lets-run',
        [],
        '`integrity` is left out: steps run that follow instructions in what was read. Add `integrity: { untrusted: warn, instructed: confirm, irreversible: block }`',
      ),
    ]
  return (['instructed', 'irreversible'] as const)
    .filter((by) => isOpen(integrity[by]))
    .map((by) =>
      found(
        'integrity-lets-run',
        ['integrity', by],
        `\`integrity.${by}: ${integrity[by]}\` lets steps run that follow instructions in what was read: use \`confirm\` or \`block\``,
      ),
    )
}

function irreversibleFindings(irreversible: Policy['irreversible']): Finding[] {
  if (irreversible === undefined)
    return [
      found(
        'irreversible-lets-run',
        [],
        '`irreversible` is left out: deletions, payments and the like run that the task does not ask for. Add `irreversible: confirm`',
      ),
    ]
  if (!isOpen(irreversible)) return []
  return [
    found(
      'irreversible-lets-run',
      ['irreversible'],
      `\`irreversible: ${irreversible}\` lets deletions, payments and the like run that the task does not ask for: use \`confirm\``,
    ),
  ]
}

/**
 * Hazards that say in other words what a spec says: to show that such a hazard cannot be reached shows only that the spec is what it is.
 */
export function restatedFindings({ analysis, specs }: Policy): Finding[] {
  const said = new Map<string, string>()
  for (const spec of specs) for (const run of runsOf(spec)) said.set(keyOf(run), spec.id)
  return (analysis?.hazards ?? []).flatMap(({ id, reached }, i): Finding[] => {
    const spec = reached && said.get(keyOf(reached))
    if (spec === undefined) return []
    const message = `\`${id}\` merely restates \`${spec}\`, and would show nothing: say by labels what must not happen; if the spec uses the same labels, list its tools in it`
    return [{ code: 'hazard-restates-spec', path: ['analysis', 'hazards', i, 'reached'], message }]
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

/** The runs that a spec is written against. */
function runsOf(spec: Spec): Run[] {
  const own = patternOf(spec)
  const sequence = (...steps: StepPattern[]): Run => ({ sequence: steps })
  if (spec.tier === 'allowlist') return []
  if (spec.tier === 'mustlist') {
    if (!spec.followedBy) return []
    return [
      { endsAfter: own, without: spec.followedBy.step },
      { ...sequence(own), unless: spec.followedBy.step },
    ]
  }
  const { flow, after, between, atMost } = spec
  if (flow) return [sequence(flow.from, flow.to)]
  if (after) return [sequence(after, own)]
  if (between) return [{ ...sequence(between.from, own), unless: between.to }]
  if (atMost) return [sequence(...Array.from({ length: Math.min(atMost.times, 16) + 1 }, () => own))]
  return [sequence(own)]
}

/**
 * Reads a valid policy closely: whether its analysis leads from losses to specs without a hole, whether its specs get in each other's way,
 * and, given a catalogue, whether its patterns match any tool.
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

/** A finding with all that a reader needs to go there. */
export interface LocatedFinding extends Finding {
  readonly severity: Severity
  /** Not known where the document is one long line. */
  readonly place: Place | undefined
  /** What it lies in, by its id, as in `spec \`no-drop\``. */
  readonly part: string | undefined
}

export interface LintReport {
  /** In the order of the document. */
  readonly findings: readonly LocatedFinding[]
  /** Undefined where the document is no valid policy; `findings` say why. */
  readonly policy: Policy | undefined
}

/** Lints the text of a policy, YAML or JSON. `name` is told where it is neither. Throws nothing. */
export function lintText(text: string, name: string, catalogue?: Catalogue): LintReport {
  const content = attempt(text, name)
  if (content instanceof PlimsollError) return unreadable(content)
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
 * The findings on an expanded policy, where its author can do something about them: of what came with packs only errors, since packs are
 * linted by themselves, and speak of more tools than a catalogue has; of specs that serve no requirement none, where the author wrote no analysis.
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

function attempt(text: string, name: string): unknown {
  try {
    return parseText(text, name)
  } catch (error) {
    if (error instanceof PlimsollError) return error
    throw error
  }
}

function unreadable({ message }: PlimsollError): LintReport {
  const [, line, column] = /at line (\d+), column (\d+)/.exec(message) ?? []
  const place =
    line !== undefined && column !== undefined ? { line: Number(line), column: Number(column) } : undefined
  const finding: LocatedFinding = {
    code: 'invalid',
    severity: 'error',
    path: [],
    message,
    place,
    part: undefined,
  }
  return { findings: [finding], policy: undefined }
}

const byPlace = (a: LocatedFinding, b: LocatedFinding): number =>
  (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0)
