import type { Decision } from '@plimsoll/contracts'
import { effectSentence } from '@plimsoll/engine'
import { visibleText } from '@plimsoll/labels'
import type { Answer } from '../answer.js'
import { findFiles } from '../local-files/find-files.js'
import { foundSentence } from '../local-files/found-sentence.js'
import { folderOf, lossesIn } from './step-folder.js'
import type { ProposedStep } from '../session.js'
import type { View } from './observation.js'

/** Characters of a name and of a command in a sentence. */
const NAME_CHARS_MAX = 80
const COMMAND_CHARS_MAX = 50
/** Deletions of one step that are looked up. */
const LOOKED_UP_MAX = 3

type Reason = Decision['reasons'][number]

/**
 * The answer whose reasons name what the step does something to, which the decision only holds as fingerprints: the names are in the
 * arguments, which stay in this process. Of several commands they name what does it; where the files are on this machine, what a
 * deletion takes at this moment. Reads the arguments again, and only where a reason is about an effect.
 */
export function nameObjects(answer: Answer, step: ProposedStep, view: ViewOfNames): Answer {
  const { decision } = answer
  const { observer } = view
  if (!observer || !decision?.reasons.some(hasEffect)) return answer
  return withNames(answer, decision, step, observer, view)
}

type ViewOfNames = Pick<View, 'observer' | 'world' | 'localFolder' | 'since'>
const hasEffect = ({ effect }: Reason): boolean => effect !== undefined

function withNames(
  answer: Answer,
  decision: Decision,
  step: ProposedStep,
  observer: NonNullable<View['observer']>,
  { world, localFolder, since }: ViewOfNames,
): Answer {
  const objects = observer.objectsOf({ ...step, world, lossAt: lossesIn(step, { localFolder, since }) })
  const folder = folderOf(step, localFolder)
  let left = LOOKED_UP_MAX
  const named = (reason: Reason): Reason => {
    const { effect } = reason
    const object = effect && objects[effect.at]
    if (!effect || !object?.name) return reason
    const { name, command, place } = object
    const by = command === undefined ? '' : ` (\`${visibleText(command, COMMAND_CHARS_MAX)}\`)`
    const isLookedUp = effect.act === 'delete' && folder !== undefined && place !== undefined && left-- > 0
    const found = isLookedUp ? findFiles(place, folder) : undefined
    const takes = found === undefined ? '' : `: ${foundSentence(found)}`
    return { ...reason, message: `${effectSentence(effect, visibleText(name, NAME_CHARS_MAX))}${by}${takes}` }
  }
  return { ...answer, decision: { ...decision, reasons: decision.reasons.map(named) } }
}
