import type { Rules, SessionState } from '@plimsoll/engine'

/** Ids of the specs whose obligations are open in `state`: at the end of a session each of them is told of. */
export const owedIn = ({ memory }: SessionState, rules: Rules): string[] =>
  rules.memory.obligations.flatMap(({ id, followedBy }) =>
    followedBy && (memory[followedBy.cell] ?? 0) !== 0 ? [id] : [],
  )
