import type { Catalogue, Policy } from '@plimsoll/contracts'
import { alphabetOf } from './alphabet.js'
import { enforcementParagraph } from './enforcement.js'
import { writeLine, writeUnlabelled } from './line.js'
import { union, type Part } from './module-parts.js'
import { writeRun, type WrittenRun } from './runs.js'
import { writeSpec } from './specs.js'
import { stepParagraphs } from './steps.js'
import { toolParagraphs } from './tools.js'
import { createVocabulary } from './vocabulary.js'
import { createWindows } from './windows.js'
import type { Writing } from './writing.js'

export interface AlloyOptions {
  /** Moves that sessions have at most: a step that is let run is one, a result, a refusal that matters later, the end. */
  readonly depth: number
  /** Whether arguments bring a step down to the `least` of its catalogue entry. Left out: yes; else its labels are the worst. */
  readonly arguments?: boolean
}

/** What a command of the module asks. `sat`: there is such a session. */
export interface AlloyQuestion {
  /** The command's name in the module. */
  readonly command: string
  readonly kind: 'hazard' | 'goal'
  /** The id of the hazard or goal. */
  readonly id: string
  readonly policy: 'off' | 'on'
  /** Whether humans approve what they are asked about; else what is asked about is not run. */
  readonly approvals: boolean
}

export interface AlloyModule {
  readonly text: string
  readonly questions: readonly AlloyQuestion[]
}

/**
 * `policy` over the tools of `catalogue` as a module of Alloy 6, written from docs/decisions/20261122-policy-language.md: sessions of at most
 * `depth` moves, what each spec blocks, and commands that look for each hazard (policy off and on) and for each goal (policy on).
 */
export function toAlloy(
  policy: Policy,
  catalogue: Catalogue,
  { depth, arguments: told = true }: AlloyOptions,
): AlloyModule {
  const words = createVocabulary(alphabetOf(policy, catalogue, told))
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
    toldEnd(parts),
    ...commands,
  ]
  return { text: `${paragraphs.join('\n\n')}\n`, questions }
}

type Asked = WrittenRun & { readonly kind: AlloyQuestion['kind']; readonly id: string }

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

/** A session's moves, counted. */
function boundOf(parts: readonly Part[]): string {
  const refusals = parts.flatMap((part) => part.refusals ?? [])
  const moves =
    refusals.length === 0 ? 'plus[#tool, #over]' : `plus[plus[#tool, #over], #(${union(refusals)})]`
  return `-- moves: steps that were let run, results${refusals.length === 0 ? '' : ', refusals'}\npred movesAtMost [most: Int] { ${moves} <= most }`
}

/** The end of a session is told of where something is owed: a hazard that is one is prevented so far as that tells. */
function toldEnd(parts: readonly Part[]): string {
  const owed = parts.flatMap((part) => part.owedAtEnd ?? [])
  return `-- something is owed when the session ends: somebody is told\npred owedAtEnd { ${owed.length === 0 ? 'some none' : owed.join(' or ')} }`
}

function commandsOf(
  runs: readonly Asked[],
  depth: number,
): { commands: string[]; questions: AlloyQuestion[] } {
  const scope = `for exactly ${depth} Step, ${bitsFor(depth)} Int`
  const questions: AlloyQuestion[] = []
  const ask = ({ kind, id, name, ends }: Asked, policy: 'off' | 'on', approvals: boolean): string => {
    const command = `${name}_policy_${policy}${approvals ? '' : '_unasked'}`
    questions.push({ command, kind, id, policy, approvals })
    const bounded = `movesAtMost[${depth - ends}]`
    if (policy === 'off') return `run ${command} { ${bounded} and ${name} } ${scope}`
    const held = `${bounded} and ${approvals ? 'enforced' : 'enforcedUnasked'}`
    if (kind === 'goal')
      return `run ${command} { ${[held, name, ...withoutHazards(runs, ends)].join(' and ')} } ${scope}`
    const labelsOnly = ends === 1 ? `(${name} and not owedAtEnd)` : name
    return `check ${command} { ${held} implies not ${labelsOnly} } ${scope}`
  }
  const commands = runs.flatMap((run) => [
    ...(run.kind === 'hazard' ? [ask(run, 'off', true)] : []),
    ask(run, 'on', true),
    ask(run, 'on', false),
  ])
  return { commands, questions }
}

/** A goal is to be reached with no hazard on the way; one that is the end of a session counts where the goal is one too. */
const withoutHazards = (runs: readonly Asked[], ends: 0 | 1): string[] =>
  runs.filter((run) => run.kind === 'hazard' && run.ends <= ends).map(({ name }) => `not ${name}`)

/** Bits of a signed number that reaches three moves a step. */
const bitsFor = (depth: number): number => Math.ceil(Math.log2(3 * depth + 1)) + 1

const headOf = ({ name }: Policy, depth: number): string =>
  `-- The policy \`${name.replaceAll(/\s+/g, ' ')}\` over its tools, in sessions of at most ${depth} moves, for the Alloy Analyzer 6.
--
-- Exact: tools and their labels, tiers, after / before / between, windows of steps, atMost (windows of more than eight steps: see
-- there), flows by labels with declassifiers, requires, followedBy with its deadline in steps, the line, what comes back well and when.
-- Free choices: what arguments say, recipients, evidence, windows in seconds or proposals, sums, distinct values, fleet readings,
-- whether a step that pays was refused, and what a human answers. So prediction counts for nothing here, nor does the line of integrity, nor what the task
-- asks for: each may always keep silent.
-- Left out: labels that clients claim or that results raise, steps that ran withoutVerdict, declassifications granted by a human,
-- delegation, a change of policy in the middle, the caps on calls in flight.
--
-- \`run\` looks for such a session; \`check\` looks for one that breaks what is claimed.`
