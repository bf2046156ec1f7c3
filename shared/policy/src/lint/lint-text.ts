import { PlimsollError, type Catalogue, type Policy } from '@plimsoll/contracts'
import { inspectPolicy, type Inspected } from '../check/inspect-policy.js'
import { parseText } from '../documents.js'
import { createPlaces, type Place } from '../source/places.js'
import { partAt } from '../source/problem.js'
import { LINT_CODES, type Finding, type Severity } from './finding.js'
import { lintPolicy } from './lint-policy.js'
import { traceFindings } from './trace.js'

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
