import {
  type CatalogueEntry,
  type ClaimedLabels,
  type Effect,
  type ReportedScript,
  type ToolLabels,
  CAPABILITIES,
  REVERSIBILITIES,
} from '@plimsoll/contracts'
import type { ActedOn, WrittenScript } from './arguments/effects.js'
import { namesOfPath, pathToName, wordsIn } from './arguments/objects.js'
import type { StepLabelling } from './arguments/step-labelling.js'
import type { NotOrdered } from './acts/not-ordered.js'
import type { SeenObject } from './observer-views.js'
import { addedTexts } from './arguments/written-files.js'
import { findSensitive } from './content/sensitive.js'
import { scanTokens } from './text/tokens.js'
import { textOf } from './text/text-of.js'
import type { Fingerprinter } from './provenance/fingerprinter.js'

/**
 * The effects of a step as its event reports them, with names as fingerprints.
 *
 * @param notOrdered names in small letters that the task has, and that its orders are not about; undefined: names are reported as they are
 */
export const reportEffects = (
  { objects, signals }: StepLabelling,
  fingerprinter: Fingerprinter,
  notOrdered: Omit<NotOrdered, 'read'> | undefined,
): Effect[] =>
  (notOrdered ? objects.map((each) => asOrdered(each, notOrdered)) : objects).map((each) => ({
    act: each.act,
    ...(each.kind && { object: each.kind }),
    ...(each.reach && { reach: each.reach }),
    names: fingerprintsOf(each, fingerprinter),
    ...(each.byName && { byName: true as const }),
    ...(each.ofRecord && { ofRecord: true as const }),
    ...(signals['unreadable'] === 1 && { incomplete: true as const }),
  }))

/** An object as orders name it: a path by where it leads, and by nothing that they are not about. */
function asOrdered(
  object: ActedOn,
  { names: notOrdered, beside, mayMeanMore, onlyStops }: Omit<NotOrdered, 'read'>,
): ActedOn {
  const { act, kind, thing, byName } = object
  if (byName) return object
  if (onlyStops && act === 'delete') return { ...object, names: [] }
  const path = kind === 'path' && thing !== undefined ? pathToName(thing) : thing
  const led = path === thing || path === undefined ? object.names : namesOfPath(path)
  const isLoss = act === 'delete' || act === 'stop'
  // What a pattern takes is named by the pattern: `logs-2022*` is more than `logs-2022.01`.
  const isPattern = isLoss && kind !== 'path' && !mayMeanMore && led.some((name) => isPatternOf(name, beside))
  const names = led.filter((name) => {
    const word = name.toLowerCase()
    return !notOrdered.has(word) && !(isLoss && beside.has(word)) && (!isPattern || name.includes('*'))
  })
  return names.length === object.names.length && led === object.names ? object : { ...object, names }
}

/** Whether a name is a pattern of words that the task has within longer names alone. */
function isPatternOf(name: string, beside: ReadonlySet<string>): boolean {
  const words = name.includes('*') ? wordsIn(name.toLowerCase()) : []
  return words.length > 0 && words.every((word) => beside.has(word))
}

/** A script that a step writes, likewise. */
export const reportScript = (
  { name, does, objects }: WrittenScript,
  fingerprinter: Fingerprinter,
): ReportedScript => ({
  name: fingerprinter.names([name])[0] ?? '',
  does: [...does],
  ...(objects.length > 0 && { objects: objects.map((each) => fingerprintsOf(each, fingerprinter)) }),
})

const fingerprintsOf = ({ names, own }: Pick<ActedOn, 'names' | 'own'>, fingerprinter: Fingerprinter) =>
  fingerprinter.object(own.length === 0 ? names : [...names, ...own])

/** Whether a text that is added, not what it replaces, holds a secret. */
export function addsSecret(values: Readonly<Record<string, unknown>>): boolean {
  const text = textOf(addedTexts(values))
  return (findSensitive(text, scanTokens(text)).signals['secrets'] ?? 0) > 0
}

/** A tool without a command line deletes the path that it names. */
export const seenObjectsOf = ({
  objects,
  commands,
}: Pick<StepLabelling, 'objects' | 'commands'>): readonly SeenObject[] =>
  objects.map(({ thing, by, place, act, kind }) => ({
    name: thing,
    command: commands > 1 ? by : undefined,
    place: commands === 0 && act === 'delete' && kind === 'path' ? thing : place,
  }))

/**
 * The labels that the arguments show for a tool without a catalogue entry. Of a program by its name (`byName`) all of them, as they stand for
 * it. Else neither the mildest values nor what the name says, which the engine knows: full labels would lower the step to the entry's `least` if
 * the monitor's catalogue knows the tool.
 */
export function claimsBeyond(
  byName: CatalogueEntry | undefined,
  { capability, reversibility, ...rest }: ToolLabels,
): ClaimedLabels {
  if (byName?.least) return { capability, reversibility, ...rest }
  const { labels = MILDEST } = byName ?? {}
  return {
    ...rest,
    ...(CAPABILITIES.indexOf(capability) > CAPABILITIES.indexOf(labels.capability) && { capability }),
    ...(REVERSIBILITIES.indexOf(reversibility) > REVERSIBILITIES.indexOf(labels.reversibility) && {
      reversibility,
    }),
  }
}
const MILDEST: ToolLabels = { capability: CAPABILITIES[0], reversibility: REVERSIBILITIES[0] }
