import { owedIn, type Rules, type SessionState } from '@plimsoll/engine'

/** Ids of the specs whose obligations are open in `state`: at the end of a session each of them is told of. */
export const owedSpecs = ({ memory }: SessionState, rules: Rules): string[] =>
  owedIn(memory, rules.memory).map(({ spec }) => spec.id)
