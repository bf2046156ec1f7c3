import type { Model, Place, Successor } from './model/model.js'
import type { Transition } from './model/transitions.js'

/** A place that a search has visited, and the way to it. */
export interface Visit {
  readonly place: Place
  readonly depth: number
  readonly from: Visit | undefined
  readonly by: Transition | undefined
}

export interface Found {
  /** The first match: no shorter run reaches a match. */
  readonly found: Visit | undefined
  readonly states: number
  /** Number of moves up to which every run was checked; Infinity if all were. */
  readonly depth: number
}

export interface SearchOptions {
  readonly isFound: (place: Place) => boolean
  /** Places that the search does not expand. */
  readonly isAvoided?: (place: Place) => boolean
  readonly statesMax: number
  readonly depthMax?: number | undefined
  /** Called for every transition from every visited place; the search ends if it returns true. */
  readonly onTransition?: (from: Place, successor: Successor) => boolean | undefined
}

/** Breadth first, so a match is found by a shortest run. */
export function search(model: Model, options: SearchOptions): Found {
  const { isFound, isAvoided, statesMax, depthMax = Infinity, onTransition: onMove } = options
  const seen = new Set([model.keyOf(model.start)])
  const queue: Visit[] = [{ place: model.start, depth: 0, from: undefined, by: undefined }]
  let isCut = false
  for (let at = 0; at < queue.length; at++) {
    const visit = queue[at]
    if (!visit) continue
    if (visit.depth >= depthMax) {
      isCut = true
      continue
    }
    for (const successor of model.successors(visit.place)) {
      if (onMove?.(visit.place, successor) === true)
        return { found: visit, states: seen.size, depth: visit.depth }
      const { place } = successor
      if (!place) continue
      const key = model.keyOf(place)
      if (seen.has(key) || isAvoided?.(place)) continue
      const next = { place, depth: visit.depth + 1, from: visit, by: successor.transition }
      if (isFound(place)) return { found: next, states: seen.size, depth: visit.depth }
      seen.add(key)
      if (seen.size > statesMax) return { found: undefined, states: seen.size, depth: visit.depth }
      if (!place.state.ended) queue.push(next)
    }
  }
  if (!model.isWhole()) return { found: undefined, states: seen.size, depth: 0 }
  return { found: undefined, states: seen.size, depth: isCut ? depthMax : Infinity }
}

/** The transitions that lead to `visit`. */
export function transitionsTo(visit: Visit): Transition[] {
  const transitions: Transition[] = []
  for (let at: Visit | undefined = visit; at?.by; at = at.from) transitions.unshift(at.by)
  return transitions
}
