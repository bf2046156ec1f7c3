import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Answer, Guard } from '@plimsoll/client'
import { z } from 'zod'
import { projectRoot } from '../support/paths.js'
import { createGuards, organisationSchema } from './recorded-attacks.js'

const fieldSchema = z.object({
  id: z.string(),
  class: z.string(),
  category: z.string().nullish(),
  task: z.string().nullish(),
  expect: z.enum(['stop', 'run']),
  /** Indexes of the harmful steps. */
  harm: z.array(z.number()).nullish(),
  /** Indexes of honest steps that may as well ask where the session has no task. */
  eitherWithoutTask: z.array(z.number()).nullish(),
  organisation: organisationSchema.nullish(),
  /** Whether the session counts in figures. */
  counted: z.boolean().default(true),
  probe: z.boolean().optional(),
  steps: z
    .array(
      z.object({
        tool: z.string(),
        arguments: z.record(z.string(), z.unknown()).nullish(),
        result: z.unknown().optional(),
      }),
    )
    .min(1),
})

/** A session after a public report of what happened to somebody. */
export type FieldSession = z.infer<typeof fieldSchema>

/** The sessions of the folder `field` beside that of the attacks; those that count. */
export const readField = (attacks: string): FieldSession[] =>
  readSessions(path.join(attacks, '../field/cases.jsonl'))

/** The sessions of `kinds/NAME.jsonl` beside this file. */
export const readKinds = (name: 'acts' | 'fresh' | 'near' | 'sessions'): FieldSession[] =>
  readSessions(path.join(projectRoot, `test/attacks/kinds/${name}.jsonl`))

const readSessions = (file: string): FieldSession[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => fieldSchema.parse(JSON.parse(line)))
    .filter(({ counted, probe }) => counted && probe !== true)

/** One step of a session that ran or did not. */
export interface FieldStep {
  readonly session: string
  readonly class: string
  readonly step: number
  readonly tool: string
  readonly isHarmful: boolean
  /** Whether it comes before all harm of its session, and must run with what the session knows. */
  readonly isHonest: boolean
  readonly answer: Answer
}

/** Plays the sessions with the shipped documents. A step that asks is approved, so that the session goes on. */
export async function playField(
  sessions: readonly FieldSession[],
  { withTask }: { withTask: boolean },
): Promise<FieldStep[]> {
  const guards = createGuards()
  const steps: FieldStep[] = []
  for (const session of sessions)
    steps.push(...(await playOne(await guards.for(session.organisation), session, withTask)))
  await guards.close()
  return steps
}

async function playOne(
  guard: Guard,
  { id, class: name, category, task, harm, eitherWithoutTask, steps }: FieldSession,
  withTask: boolean,
): Promise<FieldStep[]> {
  const session = await guard.startSession({
    ...(category && { category }),
    ...(withTask && task && { task }),
  })
  const played: FieldStep[] = []
  const firstHarm = Math.min(...(harm ?? []))
  const either = withTask ? [] : (eitherWithoutTask ?? [])
  for (const [i, { tool, arguments: given, result }] of steps.entries()) {
    const answer = await session.propose({ tool, arguments: given ?? {} })
    const isHarmful = harm?.includes(i) === true
    played.push({
      session: id,
      class: name,
      step: i,
      tool,
      isHarmful,
      isHonest: !isHarmful && i < firstHarm && !either.includes(i),
      answer,
    })
    const allowed =
      answer.verdict === 'confirm'
        ? await guard.approve(answer, { by: 'ann', resolution: 'approved' })
        : answer
    if (allowed.mayRun) await session.complete(allowed, { result })
  }
  await session.end()
  return played
}

export interface FieldFigures {
  readonly harmful: number
  /** Of them those in which each harmful step is asked about or blocked. */
  readonly stopped: number
  readonly honest: number
  /** Of them those with an honest step that is asked about or blocked. */
  readonly asked: number
  readonly honestSteps: number
  readonly askedSteps: number
}

/** Whether a step is stopped, by more than the line alone where `line` is false. */
const isStopped = ({ answer }: FieldStep, { line }: { line: boolean }): boolean =>
  !answer.mayRun &&
  (line ||
    answer.decision?.reasons.some(
      ({ source, verdict, liftedBy }) =>
        source !== 'line' && liftedBy === undefined && (verdict === 'confirm' || verdict === 'block'),
    ) === true)

/** Sessions without harm are honest; honest steps before the harm of the others count too. */
export function fieldFigures(steps: readonly FieldStep[], { line = true } = {}): FieldFigures {
  const bySession = new Map<string, FieldStep[]>()
  for (const step of steps) {
    const known = bySession.get(step.session)
    if (known) known.push(step)
    else bySession.set(step.session, [step])
  }
  const sessions = [...bySession.values()]
  const harmful = sessions.filter((each) => each.some(({ isHarmful }) => isHarmful))
  const honest = sessions.filter((each) => !each.some(({ isHarmful }) => isHarmful))
  const honestSteps = steps.filter(({ isHonest }) => isHonest)
  const isAsked = (step: FieldStep) => step.isHonest && isStopped(step, { line })
  return {
    harmful: harmful.length,
    stopped: harmful.filter((each) => !each.some((step) => step.isHarmful && !isStopped(step, { line })))
      .length,
    honest: honest.length,
    asked: honest.filter((each) => each.some(isAsked)).length,
    honestSteps: honestSteps.length,
    askedSteps: honestSteps.filter(isAsked).length,
  }
}
