import type { Capability, Reversibility, ToolLabels } from '@plimsoll/contracts'
import { defaultReadingOf } from '../arguments/defaults.js'
import { worseBy } from './claim.js'
import { ACTIONS, type Action } from './heuristics/actions.js'
import { choicesIn } from './heuristics/schema.js'

/** What an argument chooses from: members of a catalogue's entry, beside the labels of the worst choice. */
export interface Operations {
  readonly argument: string
  readonly least: ToolLabels
  readonly choices: readonly {
    readonly value: string
    readonly labels: { readonly capability: Capability; readonly reversibility: Reversibility }
  }[]
}

/**
 * The operations of a tool that does several, by an argument that lists them, where some are milder than `labels`. Only what a value's own
 * word says counts: of any other value, and of none, the entry's labels do. Undefined where another argument is read by its name: an entry
 * with rules of its own would leave that reading out.
 */
export function operationsOf(schema: unknown, labels: ToolLabels): Operations | undefined {
  const { arguments: names, choices } = choicesIn(schema)
  const [argument, ...others] = [...new Set(choices.map((choice) => choice.argument))]
  if (argument === undefined || others.length > 0) return undefined
  if (names.some((name) => name !== argument && defaultReadingOf(name) !== undefined)) return undefined
  const known = choices.map(({ value, action }) => ({ value, labels: ofAction(action) }))
  const isMilder = ({
    capability,
    reversibility,
  }: Pick<ToolLabels, 'capability' | 'reversibility'>): boolean =>
    worseBy('capability', capability, labels.capability) <= 0 &&
    worseBy('reversibility', reversibility, labels.reversibility) <= 0
  const least = known.find((choice) => choice.labels.capability === 'read' && isMilder(choice.labels))
  if (!least) return undefined
  return {
    argument,
    least: { ...labels, ...least.labels },
    choices: known.filter((choice) => isMilder(choice.labels)),
  }
}

const ofAction = (action: Action): Operations['choices'][number]['labels'] => {
  const { capability, reversibility } = ACTIONS[action]
  return { capability, reversibility }
}
