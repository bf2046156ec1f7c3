import type { Controls } from '../../../src/api.js'
import { useLive } from '../api/hub.js'
import { fetchControls } from '../api/requests.js'
import { useFetched } from '../api/use-fetched.js'

/** What is in force, kept up to date; undefined until it is known. */
export function useControls(): Controls | undefined {
  const { value, load } = useFetched({ what: 'The controls were', fetch: fetchControls })
  useLive({ onControls: load, onGap: load })
  return value
}
