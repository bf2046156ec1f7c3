import type { Claim, Claims, LabelName, LabelValues } from '../claim.js'
import type { ToolDefinition } from '../tool-definition.js'
import { ACTIONS, type Action } from './actions.js'
import { actionOf, type Deed } from './deed.js'
import { readingOf, type Reading } from './reading.js'
import { resultOf } from './result.js'

/** How sure a label is by where it was read. */
const CONFIDENCE = { name: 0.85, description: 0.6, nowhere: 0.3 } as const

/**
 * What a tool's name, description and schema say of it: the verb tells what it does and whether that can be undone, its object what
 * comes back and who wrote it. A description can make a tool worse than its name, never milder: whoever wrote the one wrote the other,
 * and only the name is what the agent calls. Silent on what it has no word for. Linear in the length of the texts, which are cut.
 */
export function heuristicClaims(tool: ToolDefinition): Claims {
  const reading = readingOf(tool)
  const deed = actionOf(reading)
  const result = resultOf(reading, deed?.action)
  const ofDeed = deed && claimer(CONFIDENCE[deed.from], deed.reason)
  const ofResult = claimer(result.confidence, result.reason)
  const tags = [...new Set(reading.objects.flatMap(({ tags = [] }) => tags))]
  return {
    labels: {
      ...(deed &&
        ofDeed && {
          capability: ofDeed(labelsOf(deed).capability),
          reversibility: ofDeed(labelsOf(deed).reversibility),
        }),
      confidentiality: ofResult(result.confidentiality),
      trust: ofResult(result.trust),
    },
    ...(tags.length > 0 && { tags }),
  }
}

const labelsOf = ({ action }: Deed): (typeof ACTIONS)[Action] => ACTIONS[action]

const claimer =
  (confidence: number, reason: string) =>
  <K extends LabelName>(value: LabelValues[K]): Claim<K> => ({
    value,
    source: 'heuristics',
    confidence,
    reason,
  })

export type { Reading }
