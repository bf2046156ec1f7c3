import { type Part, fact } from './module-parts.js'
import type { Per, Window } from '@plimsoll/contracts'
import type { Vocabulary } from './vocabulary.js'

/** The windows of conditions, as expressions of the module over a step `s`. */
export interface Windows {
  /** The steps that ran before `s`, within the window. */
  readonly ran: (window: Window | undefined, counts: Counts) => string
  /** The steps that had completed without error when `s` was proposed, within the window. */
  readonly wentWell: (window: Window | undefined, counts: Counts) => string
  /** The steps that ran before `s` within a window of counts. */
  readonly counted: (per: Per, counts: Counts) => string
  readonly part: () => Part
}

/** The unit of windows of steps; see `counts` of a spec. */
export type Counts = 'steps' | 'proposals' | undefined

/** The slices in which a window of counts moves. */
const SLICES = 8

export function createWindows(depth: number, { name }: Vocabulary): Windows {
  const made = new Map<string, string>()
  const fields: string[] = []
  const paragraphs: string[] = []

  const once = (key: string, make: () => string): string => {
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known
  }

  const lastSteps = (steps: number): string => {
    if (steps >= depth - 1) return 's.prevs'
    if (steps === 1) return 's.prev'
    return once(`steps ${steps}`, () => {
      const id = name(`last_${steps}_before`)
      const back = Array.from({ length: steps }, (_, i) => `s${'.prev'.repeat(i + 1)}`)
      paragraphs.push(
        `-- the last ${steps} steps before a step\nfun ${id} [s: Step]: set Step { ${back.join(' + ')} }`,
      )
      return id
    }).concat('[s]')
  }

  /** A window whose end is a free choice: at most `widest`, at least `narrowest`, and never wider for a later step. */
  const free = (wanted: string, why: string, widest: string, narrowest: string): string =>
    once(wanted, () => {
      const id = name(wanted)
      fields.push(`${id}: set Step -- free choice: ${why}`)
      const facts = [
        `all s: Step | s.${id} in ${widest}`,
        `all s: Step, t: s.nexts | t.${id} & s.prevs in s.${id}`,
      ]
      facts.push(`all s, t: Step | t in s.${id} implies t.nexts & s.prevs in s.${id}`)
      if (narrowest !== 'none') facts.push(`all s: Step | ${narrowest} in s.${id}`)
      paragraphs.push(
        `-- ${why}: once a step is too long ago it stays so, and so are those before it\n${fact(facts)}`,
      )
      return id
    })

  /** The same for steps that completed without error, consistent with the window of the steps that ran. */
  const freeReturns = (ran: string, why: string): string =>
    once(`${ran} returns`, () => {
      const id = name(`${ran}_back`)
      fields.push(`${id}: set Step -- free choice: ${why}, by the time of their completion`)
      paragraphs.push(
        [
          `-- the same of the steps that came back well: not before the step after which they did, nor after the next`,
          fact([
            `all s: Step | s.${id} in back.(s.prevs)`,
            `all s: Step, k: back.(s.prevs) | k.back in s.${ran} implies k in s.${id}`,
            `all s: Step, k: s.${id} | k.back.next in s.${ran} + s`,
            `all s: Step, t: s.nexts | t.${id} & back.(s.prevs) in s.${id}`,
          ]),
        ].join('\n'),
      )
      return id
    })

  const freeWindow = (window: Window, counts: Counts): { id: string; why: string } | undefined => {
    if ('seconds' in window) {
      const why = `the steps of the last ${window.seconds} seconds`
      return { id: free(`last_${window.seconds}_seconds`, why, 's.prevs', 'none'), why }
    }
    if (counts !== 'proposals') return undefined
    const why = `the steps of the last ${window.steps} proposals`
    return { id: free(`last_${window.steps}_proposals`, why, lastSteps(window.steps), 'none'), why }
  }

  return {
    ran: (window, counts) => {
      if (!window) return 's.prevs'
      const chosen = freeWindow(window, counts)
      return chosen ? `s.${chosen.id}` : lastSteps(stepsOf(window))
    },
    wentWell: (window, counts) => {
      if (!window) return 'back.(s.prevs)'
      const chosen = freeWindow(window, counts)
      return chosen ? `s.${freeReturns(chosen.id, chosen.why)}` : `back.(${lastSteps(stepsOf(window))})`
    },
    counted: (per, counts) => {
      if (per === 'session') return 's.prevs'
      const steps = stepsOf(per)
      if ('steps' in per && counts !== 'proposals' && (steps <= SLICES || steps >= depth - 1))
        return lastSteps(steps)
      const why = `the steps that a window of ${'seconds' in per ? `${per.seconds} seconds` : `${steps} ${counts ?? 'steps'}`} takes in`
      const isExact = 'steps' in per && counts !== 'proposals'
      const widest = 'steps' in per ? lastSteps(Math.ceil((steps * (SLICES + 1)) / SLICES)) : 's.prevs'
      return `s.${free(`counted_${steps}_${'seconds' in per ? 'seconds' : (counts ?? 'steps')}`, why, widest, isExact ? lastSteps(steps) : 'none')}`
    },
    part: () => ({ fields, paragraphs }),
  }
}

const stepsOf = (window: Window): number => ('steps' in window ? window.steps : window.seconds)
