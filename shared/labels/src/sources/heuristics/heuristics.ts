import type { Claim, Claims, LabelName, LabelValues } from '../claim.js'
import type { ToolDefinition } from '../tool-definition.js'
import { ACTIONS, type Action } from './actions.js'
import { actionOf, type Deed } from './deed.js'
import { readingOf, type Reading } from './reading.js'
import { resultOf } from './result.js'

/** How sure a label is by where it was read. */
const CONFIDENCE = { name: 0.85, description: 0.45, schema: 0.3 } as const

/** Of what name, description and schema do not say alike. */
const DISPUTED = 0.4

/**
 * What a tool's name, description and schema say of it: the verb tells what it does and whether that can be undone, its object what
 * comes back and who wrote it. A description can make a tool worse than its name, never milder: whoever wrote the one wrote the other,
 * and only the name is what the agent calls. Silent on what it has no word for. Linear in the length of the texts, which are cut.
 */
export function heuristicClaims(tool: ToolDefinition): Claims {
  const reading = readingOf(tool)
  const deed = actionOf(reading)
  const result = resultOf(reading, deed?.action)
  const ofDeed = deed && claimer(deed.isDisputed ? DISPUTED : CONFIDENCE[deed.from], deed.reason)
  const ofResult = claimer(result.confidence, result.reason)
  const tags = [
    ...new Set([...reading.objects.flatMap(({ tags = [] }) => tags), ...watchTags(reading, deed?.action)]),
  ]
  return {
    labels: {
      ...(deed &&
        ofDeed && {
          capability: { ...ofDeed(labelsOf(deed).capability), ...(isAgreed(reading, deed) && AGREED) },
          reversibility: { ...ofDeed(labelsOf(deed).reversibility), ...(isAgreed(reading, deed) && AGREED) },
        }),
      confidentiality: ofResult(result.confidentiality),
      trust: claimer(result.trustConfidence ?? result.confidence, result.reason)(result.trust),
    },
    ...(tags.length > 0 && { tags }),
  }
}

const AGREED = { isAgreed: true } as const

/** Whether name and description both say that it only looks. */
const isAgreed = ({ opening }: Reading, { action, from, isDisputed }: Deed): boolean =>
  from === 'name' && !isDisputed && action === 'look' && opening?.action === 'look'

/** Tools that end what records or watches: the baseline of the shipped policy blocks what carries this tag. */
function watchTags({ name }: Reading, action: Action | undefined): readonly string[] {
  const ends = action === 'destroy' || ENDS.some((word) => name.includes(word))
  return ends && RECORDS.some((word) => name.includes(word)) ? ['disables-logs'] : []
}

const ENDS = ['stop', 'disable', 'pause', 'suspend', 'mute', 'turn']
const RECORDS = ['log', 'logging', 'audit', 'trail', 'monitoring', 'telemetry', 'cloudtrail', 'auditing']

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
