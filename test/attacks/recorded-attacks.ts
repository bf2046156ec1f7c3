import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createGuard, type Answer, type Guard } from '@plimsoll/client'
import { defaultDocuments } from '@plimsoll/policy'
import { findTraces } from '@plimsoll/fit'
import { z } from 'zod'
import { projectRoot } from '../support/paths.js'

export const organisationSchema = z.object({ domains: z.array(z.string()) })
type Organisation = z.infer<typeof organisationSchema>

const sessionSchema = z.object({
  id: z.string(),
  class: z.string().optional(),
  hard: z.boolean().optional(),
  category: z.string().nullish(),
  task: z.string().nullish(),
  organisation: organisationSchema.nullish(),
  steps: z
    .array(
      z.object({
        tool: z.string(),
        arguments: z.record(z.string(), z.unknown()),
        result: z.unknown().optional(),
      }),
    )
    .min(1),
})
export type AttackSession = z.infer<typeof sessionSchema>

/** The folder of the attacks, beside that of the recorded sessions; undefined where there is none. */
export function findAttacks(): string | undefined {
  const traces = findTraces(process.env, projectRoot)
  const folder = traces && path.resolve(traces, '../attacks')
  return folder !== undefined && existsSync(folder) ? folder : undefined
}

/** The sessions of `leaks.jsonl` or `harmless.jsonl` in `folder`. */
export const readAttacks = (
  folder: string,
  name: 'leaks' | 'leaks-2' | 'harmless' | 'harmless-2',
): AttackSession[] =>
  readFileSync(path.join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => sessionSchema.parse(JSON.parse(line)))

/** Guards with the shipped documents: one for each organisation that sessions work for. */
export interface Guards {
  for(organisation: Organisation | null | undefined): Promise<Guard>
  close(): Promise<void>
}

export function createGuards(): Guards {
  const guards = new Map<string, Promise<Guard>>()
  return {
    for(organisation) {
      const key = JSON.stringify(organisation ?? null)
      const guard = guards.get(key) ?? guardFor(organisation)
      guards.set(key, guard)
      return guard
    },
    async close() {
      for (const guard of guards.values()) await (await guard).close()
    },
  }
}

async function guardFor(organisation: Organisation | null | undefined): Promise<Guard> {
  const shipped = await defaultDocuments()
  const catalogue = organisation ? { ...shipped.catalogue, organisation } : shipped.catalogue
  return createGuard({ documents: { ...shipped, catalogue } })
}

/** Plays a session in library mode with the shipped documents, a human approving whatever its earlier steps ask; gives the last answer. */
async function playAttack(
  { category, task, organisation, steps }: AttackSession,
  guards: Guards,
): Promise<Answer> {
  const guard = await guards.for(organisation)
  const session = await guard.startSession({ ...(category && { category }), ...(task && { task }) })
  let last: Answer | undefined
  for (const [i, { result, ...step }] of steps.entries()) {
    last = await session.propose(step)
    if (i === steps.length - 1) break
    const answer =
      last.verdict === 'confirm' ? await guard.approve(last, { by: 'ann', resolution: 'approved' }) : last
    if (!answer.mayRun) throw new Error(`step ${i} of the attack is ${answer.verdict}`)
    await session.complete(answer, { result })
  }
  if (!last) throw new Error('the session has no steps')
  await session.end()
  return last
}

/** Of the sessions of one class: how many there are, and how many of them end in each verdict. */
export interface ClassTally {
  sessions: number
  runs: number
  asked: number
  blocked: number
}

/** By class; those marked hard in classes of their own. Sessions that run by themselves are listed by id. */
export async function tallyAttacks(
  sessions: readonly AttackSession[],
): Promise<{ classes: Map<string, ClassTally>; ran: string[] }> {
  const classes = new Map<string, ClassTally>()
  const ran: string[] = []
  const guards = createGuards()
  for (const session of sessions) {
    const name = `${session.class ?? 'harmless'}${session.hard === true ? ' (hard)' : ''}`
    const tally = classes.get(name) ?? { sessions: 0, runs: 0, asked: 0, blocked: 0 }
    const { mayRun, verdict } = await playAttack(session, guards)
    tally.sessions++
    if (mayRun) tally.runs++
    else if (verdict === 'confirm') tally.asked++
    else tally.blocked++
    if (mayRun) ran.push(session.id)
    classes.set(name, tally)
  }
  await guards.close()
  return { classes, ran }
}

/** The rows of the table on docs/guides/secure.md. */
export const tableOf = (classes: ReadonlyMap<string, ClassTally>): string[] =>
  [...classes].map(
    ([name, { sessions, runs, asked, blocked }]) =>
      `| ${name} | ${sessions} | ${runs} | ${asked} | ${blocked} |`,
  )
