import { readSet } from '../text/data.js'
import { wordsOf } from './words-of.js'

/** Names of tools by which an agent ends its own turn or does nothing, in the loops of agent frameworks. */
const TURN_ENDS = readSet('tools', 'turnEnds')
/** Names of arguments that hold what the agent says about its work. */
const TURN_TEXTS = readSet('tools', 'turnTexts')

/** Longer names are no name of a turn's end. */
const NAME_MAX = 64
/** Arguments that are looked at. */
const ARGUMENTS_MAX = 16

/**
 * Whether a tool's whole name says that it ends the agent's own turn: `submit`, `final_answer`, `noop`. A tool of a server
 * (`mcp__forms__submit`) is none: it does what its server does.
 */
export const isTurnEnd = (name: string): boolean =>
  name.length <= NAME_MAX && TURN_ENDS.has(wordsOf(name).join('+'))

/** Whether arguments of these names hold no more than what the agent says about its work. */
export const areTurnTexts = (names: readonly string[]): boolean =>
  names.length <= ARGUMENTS_MAX &&
  names.every((name) => name.length <= NAME_MAX && TURN_TEXTS.has(wordsOf(name).join('+')))
