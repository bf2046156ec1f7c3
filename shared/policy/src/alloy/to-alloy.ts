import { type Part, predicate, union, comment } from './module-parts.js'
import type { Catalogue, Evidence, LiftableSource, Policy, Run, Verdict } from '@plimsoll/contracts'
import { entryByName, isReadByName } from '@plimsoll/labels'
import { namesTool } from '../specs/patterns.js'
import { alphabetOf } from './alphabet.js'
import { type Effect, enforcementParagraph } from './enforcement.js'
import type { Reading } from './patterns.js'
import { writeSpec } from './specs.js'
import { stepParagraphs } from './steps.js'
import { toolParagraphs } from './tools.js'
import { type Vocabulary, createVocabulary } from './vocabulary.js'
import { createWindows } from './windows.js'
import { type Writing, createDraft } from './writing.js'

/** A verdict source other than the specs: what it adds to the module, and its effect on a step. */
export interface WrittenSource {
  readonly part: Part
  readonly effects: readonly Effect[]
}

const ATOMS: Readonly<Record<Evidence, string>> = { present: 'Present', absent: 'Absent', unknown: 'Unknown' }
const EVIDENCES: readonly Evidence[] = ['present', 'absent', 'unknown']

/**
 * The line: a step that may send sensitive data that the session or the step itself has read, by evidence. Source: docs/decisions/20261122-line.md. Reversible
 * requests and code are restricted here only if they carry sensitive data. The engine requires approval for more of them, and for every such
 * step once one was blocked, so the engine also prevents whatever this module rules out.
 */
export function writeLine({ line }: Policy, { name }: Vocabulary): WrittenSource {
  const id = name('line')
  const clauses = [
    'some s.capability & (Execute + Network)',
    '(Network in s.capability and Irreversible in s.reversibility) or s.evidence = Present',
    'some (s + s.prevs).confidentiality & (Sensitive + Credentials)',
  ]
  const effects = EVIDENCES.flatMap((evidence) =>
    effectOf('line', line[evidence], `${id}[s] and s.evidence = ${ATOMS[evidence]}`),
  )
  if (effects.length === 0) return { part: { paragraphs: [] }, effects }
  const head = '-- the line: a step that may send something sensitive'
  return { part: { paragraphs: [`${head}\n${predicate(id, clauses)}`] }, effects }
}

/** Tools that the catalogue does not label, no spec names and whose names do not say that they read. Obligations do not count as naming. */
export function writeUnlabelled({ unlabelled, specs }: Policy, words: Vocabulary): WrittenSource {
  const isNamed = (tool: string) => specs.some((spec) => namesTool(spec, tool))
  // Of a plain name the milder verdict counts: arguments may show more, and only then the other does.
  const isPlain = (name: string): boolean =>
    isReadByName(name) || (unlabelled.byName !== undefined && entryByName(name) !== undefined)
  const meant = words.tools
    .filter(({ name, labelled }) => !labelled && !isNamed(name) && !isPlain(name))
    .map(({ id }) => id)
  const id = words.name('unlabelled')
  const effects = meant.length === 0 ? [] : effectOf('unlabelled', unlabelled.verdict, `${id}[s]`)
  if (effects.length === 0) return { part: { paragraphs: [] }, effects }
  const text = `-- tools that nothing labels\n${predicate(id, [`some s.tool & (${union(meant)})`])}`
  return { part: { paragraphs: [text] }, effects }
}

const effectOf = (source: LiftableSource, verdict: Verdict, when: string): Effect[] =>
  verdict === 'block' || verdict === 'confirm' ? [{ source, verdict, when }] : []

export interface WrittenRun {
  readonly part: Part
  /** The predicate, without parameters, that holds for the matching sessions. */
  readonly name: string
  /** Moves that it takes besides those of its steps: 1 if the session must end, else 0. */
  readonly ends: 0 | 1
}

/** A hazard or goal as a predicate over the steps that ran, independent of the specs and with its own patterns. */
export function writeRun(
  owner: 'hazard' | 'goal',
  { id, text, reached }: { id: string; text: string; reached: Run },
  writing: Writing,
): WrittenRun {
  const draft = createDraft(`${owner}_${id}`, writing)
  draft.paragraph(comment(`${owner} \`${id}\`: ${text}`))
  // An unknown step counts as reaching a hazard, but not as reaching a goal.
  const [sure, unsure]: readonly [Reading, Reading] =
    owner === 'goal' ? ['wentWell', 'ran'] : ['ran', 'wentWell']
  const name = writing.words.name(`${owner}_${id}`)
  draft.paragraph(
    `pred ${name} {\n  ${'sequence' in reached ? sequenceClause(reached) : endClause(reached)}\n}`,
  )
  return { part: draft.part(), name, ends: 'sequence' in reached ? 0 : 1 }

  function sequenceClause({ sequence, unless }: Extract<Run, { sequence: unknown }>): string {
    const steps = sequence.map((pattern, i) => ({
      step: `s${i + 1}`,
      is: draft.pattern(`step_${i + 1}`, pattern, sure),
    }))
    const where = steps.map(({ step, is }) => `${is}[${step}]`)
    const last = `s${steps.length}`
    if (unless) {
      const again = draft.pattern('unless', unless, unsure)
      where.push(`no u: back.((s1 + s1.nexts) & ${last}.prevs) | ${again}[u]`)
    }
    const declared = steps.map(({ step }, i) => `${step}: ${i === 0 ? 'Step' : `s${i}.nexts`}`)
    return `some ${declared.join(', ')} |\n    ${where.join(' and\n    ')}`
  }

  function endClause({ endsAfter, without }: Extract<Run, { endsAfter: unknown }>): string {
    const first = draft.pattern('ends_after', endsAfter, sure)
    const missing = draft.pattern('without', without, unsure)
    return `some s: Step | ${first}[s] and no t: back.(s + s.nexts) | ${missing}[t]`
  }
}

export interface AlloyOptions {
  /** The most moves in a session: each step that runs, result, refusal with a later effect, and the end of the session is one move. */
  readonly depth: number
  /** Whether arguments can lower a step's labels to the `least` of its catalogue entry; if not, its labels are the worst. Default: true. */
  readonly arguments?: boolean
}

/** The question that a command of the module answers. `sat`: such a session exists. */
export interface AlloyCommand {
  /** The command's name in the module. */
  readonly command: string
  readonly kind: 'hazard' | 'goal'
  /** The id of the hazard or goal. */
  readonly id: string
  readonly policy: 'off' | 'on'
  /** Whether humans grant approval requests. If not, steps that need approval do not run. */
  readonly approvals: boolean
}

export interface AlloyModule {
  readonly text: string
  readonly commands: readonly AlloyCommand[]
}

/**
 * `policy` over the tools of `catalogue` as a module of Alloy 6, written from docs/reference/policy-semantics.md: sessions of at most
 * `depth` moves, what each spec blocks, and commands that look for each hazard (policy off and on) and for each goal (policy on).
 */
export function toAlloy(
  policy: Policy,
  catalogue: Catalogue,
  { depth, arguments: reported = true }: AlloyOptions,
): AlloyModule {
  const words = createVocabulary(alphabetOf(policy, catalogue, reported))
  const windows = createWindows(depth, words)
  const writing: Writing = { depth, policy, words, windows }
  const specs = policy.specs.map((spec) => writeSpec(spec, writing))
  const sources = [writeLine(policy, words), writeUnlabelled(policy, words)]
  const runs = runsOf(policy, writing)
  const enforcement = enforcementParagraph(
    [...specs, ...sources].flatMap(({ effects }) => effects),
    specs.flatMap(({ lifts }) => lifts),
  )
  const parts: Part[] = [
    windows.part(),
    ...[...specs, ...sources].map(({ part }) => part),
    { paragraphs: [enforcement] },
    ...runs.map(({ part }) => part),
  ]
  const { commands, questions } = commandsOf(runs, depth)
  const paragraphs = [
    headOf(policy, depth),
    'open util/ordering[Step]',
    ...toolParagraphs(words),
    ...stepParagraphs(words, parts),
    ...parts.flatMap((part) => part.paragraphs),
    boundOf(parts),
    endAlert(parts),
    ...commands,
  ]
  return { text: `${paragraphs.join('\n\n')}\n`, commands: questions }
}

type Asked = WrittenRun & { readonly kind: AlloyCommand['kind']; readonly id: string }

function runsOf({ analysis }: Policy, writing: Writing): Asked[] {
  const hazards = (analysis?.hazards ?? []).flatMap(({ reached, ...hazard }) =>
    reached ? [{ ...hazard, reached }] : [],
  )
  return [
    ...hazards.map((hazard) => ({
      kind: 'hazard' as const,
      id: hazard.id,
      ...writeRun('hazard', hazard, writing),
    })),
    ...(analysis?.goals ?? []).map((goal) => ({
      kind: 'goal' as const,
      id: goal.id,
      ...writeRun('goal', goal, writing),
    })),
  ]
}

/** Counts the moves of a session. */
function boundOf(parts: readonly Part[]): string {
  const refusals = parts.flatMap((part) => part.refusals ?? [])
  const transitions =
    refusals.length === 0 ? 'plus[#tool, #over]' : `plus[plus[#tool, #over], #(${union(refusals)})]`
  return `-- moves: steps that ran, results${refusals.length === 0 ? '' : ', refusals'}\npred movesAtMost [most: Int] { ${transitions} <= most }`
}

/** Ending a session with an open obligation raises an alert. For a hazard that is such an end, the alert is the only prevention. */
function endAlert(parts: readonly Part[]): string {
  const owed = parts.flatMap((part) => part.owedAtEnd ?? [])
  return `-- an obligation is open when the session ends: an alert is raised\npred owedAtEnd { ${owed.length === 0 ? 'some none' : owed.join(' or ')} }`
}

function commandsOf(
  runs: readonly Asked[],
  depth: number,
): { commands: string[]; questions: AlloyCommand[] } {
  const scope = `for exactly ${depth} Step, ${bitsFor(depth)} Int`
  const questions: AlloyCommand[] = []
  const ask = ({ kind, id, name, ends }: Asked, policy: 'off' | 'on', approvals: boolean): string => {
    const command = `${name}_policy_${policy}${approvals ? '' : '_unasked'}`
    questions.push({ command, kind, id, policy, approvals })
    const bounded = `movesAtMost[${depth - ends}]`
    if (policy === 'off') return `run ${command} { ${bounded} and ${name} } ${scope}`
    const held = `${bounded} and ${approvals ? 'enforced' : 'enforcedUnasked'}`
    if (kind === 'goal')
      return `run ${command} { ${[held, name, ...withoutHazards(runs, ends)].join(' and ')} } ${scope}`
    const unalerted = ends === 1 ? `(${name} and not owedAtEnd)` : name
    return `${ends === 1 ? ALERTS_EXCLUDED : ''}check ${command} { ${held} implies not ${unalerted} } ${scope}`
  }
  const commands = runs.flatMap((run) => [
    ...(run.kind === 'hazard' ? [ask(run, 'off', true)] : []),
    ask(run, 'on', true),
    ask(run, 'on', false),
  ])
  return { commands, questions }
}

const ALERTS_EXCLUDED =
  '-- sessions that end with an alert are excluded: UNSAT says that none of the others reaches it\n'

/** A goal must be reached without a hazard on the way. Hazards at the end of a session count only if the goal is an end too. */
const withoutHazards = (runs: readonly Asked[], ends: 0 | 1): string[] =>
  runs.filter((run) => run.kind === 'hazard' && run.ends <= ends).map(({ name }) => `not ${name}`)

/** The bits of a signed number that can count three moves per step. */
const bitsFor = (depth: number): number => Math.ceil(Math.log2(3 * depth + 1)) + 1

const headOf = ({ name }: Policy, depth: number): string =>
  `-- The policy \`${name.replaceAll(/\s+/g, ' ')}\` over its tools, in sessions of at most ${depth} moves, for the Alloy Analyzer 6.
--
-- Exact: tools and their labels, tiers, after / before / between, windows of steps, atMost (windows of more than eight steps: see
-- there), flows by labels with declassifiers, requires, followedBy with its deadline in steps, the line, which calls complete without error and when.
-- Free choices: what arguments say, recipients, evidence, windows in seconds or proposals, sums, distinct values, fleet readings,
-- whether a step that would meet an obligation was refused, and what a human answers. So neither prediction, the line of integrity nor the
-- request of the task restricts a step here for certain.
-- Left out: labels that clients claim or that results raise, steps without a verdict, declassifications granted by a human,
-- delegation, a change of policy in the middle, the caps on calls in flight.
--
-- \`run\` looks for such a session; \`check\` looks for a counterexample to a claim.`
