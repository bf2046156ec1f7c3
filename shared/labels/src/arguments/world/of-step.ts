import { type World, joinWorlds } from '@plimsoll/contracts'

/**
 * Returns the world of each step: the catalogue's joined with the session's, and none for a step that runs elsewhere. One object for each that is
 * declared, as what is read of it is kept by it.
 */
export function createWorldFinder(
  ofCatalogue: World | undefined,
): (step: {
  readonly world?: World | undefined
  readonly isRemote?: boolean | undefined
}) => World | undefined {
  const worlds = new WeakMap<World, World>()
  return ({ world, isRemote }) => {
    if (isRemote === true) return undefined
    if (world === undefined || ofCatalogue === undefined) return world ?? ofCatalogue
    const joined = worlds.get(world) ?? joinWorlds(ofCatalogue, world) ?? world
    worlds.set(world, joined)
    return joined
  }
}
