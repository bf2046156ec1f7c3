import { explain, type Answer } from '@plimsoll/client'

/** One line for an agent: whether its step may run, why, and what would do instead. */
export function lineOf(answer: Answer): string {
  const { mayRun, tool, by, decision } = answer
  const { waitFor = [] } = decision ?? {}
  if (!mayRun)
    return waitFor.length === 0 ? explain(answer) : `${explain(answer)}; wait for ${waitFor.join(', ')}`
  if (by !== 'decision')
    return `\`${tool}\` may run: ${by === 'observe' ? 'it is only observed' : 'no verdict came'}`
  const told = decision?.reasons.filter(({ liftedBy, verdict }) => !liftedBy && verdict !== 'allow') ?? []
  const remarks = [...new Set(told.map(({ message }) => message))].join('; ')
  return remarks === '' ? `\`${tool}\` may run` : `\`${tool}\` may run: ${remarks}`
}
