import type { Run } from '@plimsoll/contracts'
import { comment } from './names.js'
import { createDraft, type Writing } from './writing.js'
import type { Part } from './module-parts.js'
import type { Reading } from './patterns.js'

export interface WrittenRun {
  readonly part: Part
  /** The predicate, over nothing, that holds of the sessions meant. */
  readonly name: string
  /** Moves that it takes besides those of its steps: the end of the session is one. */
  readonly ends: 0 | 1
}

/** A hazard or goal as a predicate over the steps that ran: stated apart from the specs, and over patterns of its own. */
export function writeRun(
  owner: 'hazard' | 'goal',
  { id, text, reached }: { id: string; text: string; reached: Run },
  writing: Writing,
): WrittenRun {
  const draft = createDraft(`${owner}_${id}`, writing)
  draft.paragraph(comment(`${owner} \`${id}\`: ${text}`))
  // What may be a hazard is one; a goal is reached by what is known.
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
      const anew = draft.pattern('unless', unless, unsure)
      where.push(`no u: back.((s1 + s1.nexts) & ${last}.prevs) | ${anew}[u]`)
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
