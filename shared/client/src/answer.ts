import {
  type Act,
  type Catalogue,
  type Decision,
  type Reason,
  type Reversibility,
  type Verdict,
  PlimsollError,
} from '@plimsoll/contracts'
import { argumentLines, labelTool, visibleText } from '@plimsoll/labels'

/** The answer to a proposed step. */
export interface Answer {
  readonly callId: string
  readonly tool: string
  readonly verdict: Verdict
  /** Whether the step may run now: for allow and warn, and for every verdict in mode `observe`. */
  readonly mayRun: boolean
  /** What gave the answer: a decision, the fail mode, or neither because the client only observes. */
  readonly by: 'decision' | 'fail_open' | 'fail_closed' | 'observe'
  /** The decision; after an expired approval, the decision that requested it. */
  readonly decision?: Decision
  /** How a human answers the approval request. Default: `approveCommand`. */
  readonly approveWith?: string
}

/** Reasons listed in one sentence; the decision has all of them. */
const REASONS_MAX = 5
/** A reason may repeat names that the agent chose. */
const REASON_CHARS_MAX = 300

/** Whether `answer` waits for a human. */
export const isWaiting = ({ by, verdict, mayRun }: Answer): boolean =>
  by === 'decision' && verdict === 'confirm' && !mayRun

/**
 * Why a step must not run and what to do instead, one line for the model that proposed it. For a step that waits for a human: also what
 * it may destroy, the decision's id, and how the human answers.
 *
 * @example
 * explain(answer)
 * // `drop_table` waits for approval: no catalogue labels the tool `drop_table`; by its name it is destructive: it cannot be undone; not run yet:
 * // a human can approve it with plimsoll approve 's-1#e-9#step'; then make the same call again; instead: …
 */
export function explain(answer: Answer, hints?: ToolHints): string {
  const { alternative } = answer.decision ?? {}
  const instead = alternative === undefined ? '' : `; instead: ${alternative}`
  return `\`${answer.tool}\` ${statusOf(answer, hints)}${instead}`
}

function statusOf(answer: Answer, hints: ToolHints | undefined): string {
  const { by, verdict, decision } = answer
  if (by === 'fail_closed')
    return `was not run: ${decision ? 'it was not approved in time' : 'no verdict came'}`
  const cause = causeOf(answer, hints)
  if (verdict !== 'confirm' || !decision) return cause === '' ? 'was blocked' : `was blocked: ${cause}`
  const next = `not run yet: a human can approve it with ${approveWith(answer)}; then make the same call again`
  return ['waits for approval', cause && `: ${cause}`, `; ${next}`].join('')
}

/** The reasons for the answer's verdict and, if it waits for a human, what the step may destroy, on one line. */
export function causeOf(answer: Answer, hints?: ToolHints): string {
  const { verdict, decision } = answer
  const effect = verdict === 'confirm' && decision ? effectOf(decision, hints) : ''
  return [...reasonsOf(answer), effect].filter((text) => text !== '').join('; ')
}

/** The messages of the reasons for the answer's verdict. */
function reasonsOf({ verdict, decision }: Answer): readonly string[] {
  const isCounted = (reason: Reason) => reason.liftedBy === undefined && reason.verdict === verdict
  const messages = (decision?.reasons ?? []).filter(isCounted).map(({ message }) => message)
  return [...new Set(messages)].slice(0, REASONS_MAX)
}

const BY_REVERSIBILITY: Readonly<Record<Reversibility, string>> = {
  reversible: 'it can be undone',
  partial: 'it can be undone in part',
  irreversible: 'it cannot be undone',
}

const BY_ACT: Readonly<Record<Act, string>> = {
  delete: 'delete',
  overwrite: 'overwrite',
  pay: 'pay',
  publish: 'publish',
  send: 'send something',
  grant: 'grant access',
  credential: 'change a secret',
}

/** What the definition of a tool says of its effect: MCP's annotations. */
export interface ToolHints {
  readonly destructiveHint?: boolean | undefined
  readonly readOnlyHint?: boolean | undefined
}

/** What a step that waits for approval may destroy, as half a sentence; empty if its decision does not say. */
export function effectOf(
  { tool, approval }: Pick<Decision, 'tool' | 'approval'>,
  hints: ToolHints = {},
): string {
  if (!approval) return hintText(hints)
  const { acts, isLabelled, reversibility } = approval
  const doings = acts.map((act) => BY_ACT[act]).join(', ')
  const doing = doings && `by its name or arguments it may ${doings}`
  const isKnown = isLabelled || reversibility === 'irreversible'
  const effects = [doing, isKnown ? BY_REVERSIBILITY[reversibility] : '', hintText(hints)]
  const known = effects.filter((text) => text !== '')
  if (!isKnown && !doing) known.unshift(effectByName(tool))
  return known.join('; ')
}

function hintText({ destructiveHint, readOnlyHint }: ToolHints): string {
  if (destructiveHint === true) return 'its server says that it is destructive'
  if (readOnlyHint === true) return 'its server says that it only reads'
  return destructiveHint === false ? 'its server says that it is not destructive' : ''
}

const NO_CATALOGUE: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'none', tools: [] }

/** A guess by the name of a tool that no catalogue labels. */
function effectByName(name: string): string {
  const { value, source } = labelTool({ name }, NO_CATALOGUE).perLabel.reversibility
  if (source === 'unknown') return 'whether it is destructive is unknown: its name does not say'
  if (value === 'irreversible') return 'by its name it is destructive: it cannot be undone'
  return value === 'partial' ? 'by its name it changes something' : 'by its name it is not destructive'
}

/** The command that answers the approval request of a decision, wherever it was made. `plimsoll` is how it is started. */
export const approveCommand = (decisionId: string, plimsoll = 'plimsoll'): string =>
  `${plimsoll} approve '${decisionId}'`

/** How a human answers the approval request of `answer`. */
export const approveWith = ({ approveWith, decision }: Answer): string =>
  approveWith ?? approveCommand(decision?.id ?? '')

export interface ApprovalText {
  readonly arguments: Readonly<Record<string, unknown>>
  readonly hints?: ToolHints | undefined
}

/** What a human is asked about a step that waits for approval, by lines: the step first, because a client may show only the beginning. */
export function approvalLines(answer: Answer, { arguments: args, hints }: ApprovalText): readonly string[] {
  const { tool, decision } = answer
  const effect = decision ? effectOf(decision, hints) : ''
  return [
    `The agent wants to call ${visibleText(tool, REASON_CHARS_MAX)} with:`,
    ...argumentLines(args).map((line) => `  ${line}`),
    'Plimsoll asks because:',
    ...reasonsOf(answer).map((message) => `- ${visibleText(message, REASON_CHARS_MAX)}`),
    ...(effect === '' ? [] : [`Effect: ${effect}`]),
    ...(decision ? [`Decision: ${decision.id}`] : []),
  ]
}

/** What `run` rejects with if the step may not run. */
export class StepBlocked extends PlimsollError {
  /** Also in `details`. */
  readonly answer: Answer

  constructor(answer: Answer) {
    super('step_blocked', explain(answer), { details: { answer } })
    this.answer = answer
  }
}
