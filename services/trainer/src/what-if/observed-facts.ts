import type { Facts, Rules } from '@plimsoll/engine'

/** As of a session that is only observed. Fleet-wide limits say nothing: how many others there were is not known here. */
export const observedFacts = ({ memory }: Rules): Facts => ({
  mode: 'observe',
  readings: Object.fromEntries(memory.fleets.flatMap(({ fleet }) => (fleet ? [[fleet.reading, -1]] : []))),
})
