/** Names of variables that one text may give; beyond them nothing is known. */
const NAMES_MAX = 512

/** What a word that begins with a variable must not turn out to be: an option or several words; a place on the network. */
export type Demand = 'option' | 'place'

/**
 * What a text gives its variables. A variable is plain where every assignment to it in the whole text gives one closed word that is no
 * option and no place on the network; so `for f in *.py; do sed -n 1p "$f"; done` is understood. As a loop may use a variable before the
 * text gives it another value, demands are settled at the end.
 */
export interface Variables {
  readonly give: (name: string, isPlain: boolean) => void
  readonly demand: (names: readonly string[], demand: Demand) => void
  /** Demands that some variable does not meet. */
  readonly unmet: () => ReadonlySet<Demand>
}

/** Variables that a login gives, each one path or one name. */
const GIVEN = ['HOME', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'TMPDIR', 'HOSTNAME', '?', '#', '$', '!']

export function createVariables(): Variables {
  const plain = new Map<string, boolean>(GIVEN.map((name) => [name, true]))
  const demands: Record<Demand, Set<string>> = { option: new Set(), place: new Set() }
  return {
    give: (name, isPlain) => {
      if (plain.size < NAMES_MAX || plain.has(name)) plain.set(name, isPlain && plain.get(name) !== false)
    },
    demand: (names, demand) => {
      for (const name of names) demands[demand].add(demands[demand].size < NAMES_MAX ? name : '@')
    },
    unmet: () =>
      new Set(
        (['option', 'place'] as const).filter((demand) =>
          [...demands[demand]].some((name) => plain.get(name) !== true),
        ),
      ),
  }
}
