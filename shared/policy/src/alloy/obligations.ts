import type { SpecOf } from '@plimsoll/contracts'
import { fact, predicate } from './module-parts.js'
import type { Draft, Writing } from './writing.js'

type Must = SpecOf<'mustlist'>

/** The clause under which a step `s` comes too early. `requires` is what must have come back well before. */
export function requiresClause(spec: Must, draft: Draft, { windows }: Writing): string | undefined {
  if (!spec.requires) return undefined
  const { within, ...pattern } = spec.requires
  const required = draft.pattern('requires', pattern, 'wentWell')
  return `no e: ${windows.wentWell(within, spec.counts)} | ${required}[e]`
}

export interface Obligation {
  /** The clause under which a step `s` would pass the deadline; undefined where nothing is refused. */
  readonly late: string | undefined
  /** The clause under which something that would have paid was blocked; undefined where that changes nothing. */
  readonly exit: string | undefined
}

/**
 * What is owed since an earlier step, as a field of each step, and what that refuses; undefined where nothing is to follow. `own` tells the
 * steps that open.
 */
export function obligationOf(
  spec: Must,
  own: string,
  draft: Draft,
  writing: Writing,
): Obligation | undefined {
  if (!spec.followedBy) return undefined
  const { step, within } = spec.followedBy
  const pays = draft.pattern('pays', step, 'wentWell')
  const owes = draft.name('owes_since')
  draft.field(`${owes}: lone Step -- the step since which \`${spec.id}\` is owed when the step is proposed`)
  draft.paragraph(owing({ own, pays, owes, draft }))
  if (within === 'session') return { late: undefined, exit: undefined }
  const late = draft.name('late')
  const over =
    'steps' in within
      ? overAfter(within.steps, owes, spec, draft, writing)
      : overInTime(owes, draft, within.seconds)
  draft.paragraph(predicate(late, [`some s.${owes}`, `not ${pays}[s]`, over]))
  return { late: `${late}[s]`, exit: exitClause(spec, owes, draft) }
}

interface Owing {
  readonly own: string
  readonly pays: string
  readonly owes: string
  readonly draft: Draft
}

/** How what is owed goes on from step to step, and whether it is when the session ends. */
function owing({ own, pays, owes, draft }: Owing): string {
  const [paid, then] = [draft.name('paid'), draft.name('owes_then')]
  draft.owedAtEnd(`some ${then}[last]`)
  return [
    '-- after step s a call came back well that pays, let run after the latest step that owes',
    `pred ${paid} [s: Step] {`,
    `  some k: back.s | ${pays}[k] and no o: k.nexts & (s + s.prevs) | ${own}[o] and not ${pays}[o]`,
    '}',
    '-- the step since which it is owed after step s',
    `fun ${then} [s: Step]: lone Step {`,
    `  ${paid}[s] implies none`,
    `  else some s.${owes} implies s.${owes}`,
    `  else ${own}[s] and not ${pays}[s] implies s else none`,
    '}',
    fact([`no first.${owes}`, `all s: Step, t: s.next | t.${owes} = ${then}[s]`]),
  ].join('\n')
}

/** Of a window of N steps opened at step t: late is what has number t + N or more. */
function overAfter(steps: number, owes: string, spec: Must, draft: Draft, { depth }: Writing): string {
  if (steps >= depth) return 'some none -- not within this depth'
  const least = `s in s.${owes}${'.next'.repeat(steps)}.*next`
  return spec.counts === 'proposals' ? `(${least} or ${overEarlier(owes, draft)})` : least
}

const overEarlier = (owes: string, draft: Draft): string =>
  overdue(owes, draft, 'whether blocked proposals have used up the time')

const overInTime = (owes: string, draft: Draft, seconds: number): string =>
  overdue(owes, draft, `whether more than ${seconds} seconds have gone by`)

/** A free choice that stays once it is made, as long as the same is owed. */
function overdue(owes: string, draft: Draft, what: string): string {
  const id = draft.name('overdue')
  draft.paragraph(
    `-- free choice: ${what}; it stays so as long as the same is owed\nsig ${id} in Step {}\n${fact([`all s: ${id}, t: s.next | s.${owes} = t.${owes} implies t in ${id}`])}`,
  )
  return `s in ${id}`
}

/** Refusing goes no further than a question once something that would have paid was itself refused. */
function exitClause({ followedBy, id }: Must, owes: string, draft: Draft): string | undefined {
  if (followedBy?.exit === 'block') return undefined
  const exit = draft.name('exit')
  const refused = draft.name('refused')
  draft.paragraph(
    [
      `-- free choice: whether a step that would have paid \`${id}\` was blocked by then: by prediction, by a human, by the stop switch`,
      `sig ${exit} in Step {}`,
      fact([
        `all s: ${exit} | some s.${owes}`,
        `all s: ${exit}, t: s.next | s.${owes} = t.${owes} implies t in ${exit}`,
      ]),
      `fun ${refused}: set Step { {s: ${exit} | s.prev not in ${exit} or s.prev.${owes} != s.${owes}} }`,
    ].join('\n'),
  )
  draft.refusals(refused)
  return `s in ${exit}`
}
