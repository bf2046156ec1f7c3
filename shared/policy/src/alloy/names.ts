/** Words that an identifier may not be: Alloy's own, and those that `util/ordering` brings. */
const TAKEN =
  'abstract after all always and as assert before but check disj else enabled enum event eventually exactly exh extends fact first for fun gt gte historically iden iff implies in int Int invariant larger last let lone lt lte max min modifies module next nexts no none not once one open or ord part pred prev prevs private pred releases run seq set sig since smaller some steps String sum this triggered univ until var'

/** Gives everything that a module speaks of an identifier of its own, as near to its name as Alloy lets it be. */
export function createNames(): (name: string) => string {
  const taken = new Set(TAKEN.split(' '))
  return (name) => {
    const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?![A-Za-z])/, 'x_')
    let free = plain
    for (let i = 2; taken.has(free); i++) free = `${plain}_${i}`
    taken.add(free)
    return free
  }
}

/** `text` as a comment of one line: what a policy's author wrote may hold line ends. */
export const comment = (text: string): string => `-- ${text.replaceAll(/\s+/g, ' ').trim()}`
