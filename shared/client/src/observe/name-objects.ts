import type { Decision } from '@plimsoll/contracts'
import { effectSentence } from '@plimsoll/engine'
import { visibleText } from '@plimsoll/labels'
import type { Answer } from '../answer.js'
import type { ProposedStep } from '../session.js'
import type { View } from './observation.js'

/** Characters of a name in a sentence. */
const NAME_CHARS_MAX = 80

type Reason = Decision['reasons'][number]

/**
 * The answer whose reasons name what the step does something to, which the decision only holds as fingerprints: the names are in the
 * arguments, which stay in this process. Reads them again, and only where a reason is about an effect.
 */
export function nameObjects(
  answer: Answer,
  step: ProposedStep,
  { observer, world }: Pick<View, 'observer' | 'world'>,
): Answer {
  const { decision } = answer
  if (!observer || !decision?.reasons.some(({ effect }) => effect)) return answer
  const objects = observer.objectsOf({ ...step, world })
  const named = (reason: Reason): Reason => {
    const { effect } = reason
    const name = effect && objects[effect.at]
    if (!effect || name === undefined || name === '') return reason
    return { ...reason, message: effectSentence(effect, visibleText(name, NAME_CHARS_MAX)) }
  }
  return { ...answer, decision: { ...decision, reasons: decision.reasons.map(named) } }
}
