import {
  type ArgumentReading,
  type Capability,
  type Reversibility,
  type ToolLabels,
  REVERSIBILITIES,
} from '@plimsoll/contracts'
import { worseBy } from './claim.js'
import { type Action, ACTIONS } from './heuristics/actions.js'
import { choicesIn } from './heuristics/schema.js'
import { readSet, longPattern } from '../text/data.js'
import { defaultReadingOf } from './values.js'
import { wordsOf } from './words-of.js'

type Milder = Pick<ToolLabels, 'capability' | 'reversibility'>

/** What the arguments of one tool choose from: fields of a catalogue entry, next to the labels of the worst choice. */
export interface Operations {
  readonly least: ToolLabels
  /** The choices that are milder than the worst. */
  readonly choices: readonly {
    readonly argument: string
    readonly value: string | boolean
    readonly labels: { readonly capability: Capability; readonly reversibility: Reversibility }
  }[]
  /** How arguments are read, if they make a request. */
  readonly arguments?: readonly { readonly in: string; readonly as: ArgumentReading }[]
}

/**
 * The operations of a tool: what its one argument with a list of them chooses, or what a request does, if some are milder than `labels`.
 * Only the word of a value counts; unlisted values keep the entry's labels. Undefined if another argument is read by its name, because an
 * entry with its own rules would skip it.
 */
export function operationsOf(name: string, schema: unknown, labels: ToolLabels): Operations | undefined {
  const { arguments: names, choices, closing } = choicesIn(schema)
  const request = requestOf(names, labels)
  if (request) return request
  const closes = closingOf(name, names, closing, labels)
  if (closes) return closes
  const [argument, ...others] = [...new Set(choices.map((choice) => choice.argument))]
  if (argument === undefined || others.length > 0) return undefined
  if (names.some((name) => name !== argument && defaultReadingOf(name) !== undefined)) return undefined
  const isMilder = ({ capability, reversibility }: Milder): boolean =>
    worseBy('capability', capability, labels.capability) <= 0 &&
    worseBy('reversibility', reversibility, labels.reversibility) <= 0
  const all = choices.map(({ argument, value, action }) => ({ argument, value, labels: ofAction(action) }))
  const known = all.filter((choice) => isMilder(choice.labels))
  const least = known.find((choice) => choice.labels.capability === 'read') ?? mildestOf(all, labels)
  return least && { least: { ...labels, ...least.labels }, choices: known }
}

const ofAction = (action: Action): Operations['choices'][number]['labels'] => {
  const { capability, reversibility } = ACTIONS[action]
  return { capability, reversibility }
}

/** The mildest of choices that all change something, if the worst of them is as bad as the tool: `insert` beside `delete`. */
function mildestOf(
  choices: Operations['choices'],
  labels: ToolLabels,
): Operations['choices'][number] | undefined {
  if (!choices.some((choice) => choice.labels.reversibility === labels.reversibility)) return undefined
  const rank = (choice: Operations['choices'][number]): number =>
    REVERSIBILITIES.indexOf(choice.labels.reversibility)
  const [first, ...rest] = choices.filter(
    (choice) =>
      choice.labels.capability === 'write' &&
      worseBy('reversibility', choice.labels.reversibility, labels.reversibility) < 0,
  )
  return first && rest.reduce((mildest, each) => (rank(each) < rank(mildest) ? each : mildest), first)
}

/** Words of tools that give access, or make what may be seen by everybody. */
const OPENING = readSet('tools', 'opening')

/** A tool that may let others in is milder where an argument says that it keeps them out. */
function closingOf(
  name: string,
  names: readonly string[],
  closing: readonly { readonly argument: string; readonly value: string | boolean }[],
  labels: ToolLabels,
): Operations | undefined {
  if (closing.length === 0 || labels.reversibility === 'reversible') return undefined
  if (!wordsOf(name).some((word) => OPENING.has(word))) return undefined
  const listed = new Set(closing.map(({ argument }) => argument))
  if (names.some((each) => !listed.has(each) && defaultReadingOf(each) !== undefined)) return undefined
  const milder = { capability: 'write', reversibility: 'reversible' } as const
  return { least: { ...labels, ...milder }, choices: closing.map((each) => ({ ...each, labels: milder })) }
}

const METHOD = /^(?:http_?)?method$/i
const URL = /^(?:url|uri|endpoint)$/i
const PATH = longPattern('operations.PATH')

/** A tool that is given a method and where the request goes: a request that only asks is milder than what may change something there. */
function requestOf(names: readonly string[], labels: ToolLabels): Operations | undefined {
  const method = names.find((name) => METHOD.test(name))
  const url = names.find((name) => URL.test(name))
  const isRequest = method !== undefined && (url !== undefined || names.some((name) => PATH.test(name)))
  if (!isRequest || labels.reversibility === 'reversible') return undefined
  return {
    least: { ...labels, capability: 'read', reversibility: 'reversible' },
    choices: [],
    arguments: [
      { in: method, as: 'http_method' },
      ...(url === undefined ? [] : [{ in: url, as: 'url' as const }]),
    ],
  }
}
