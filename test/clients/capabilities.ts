import { createEntryFinder } from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'

/** Where the Python client has the capabilities of known tools, for its fail modes. `npm run reference` writes it. */
export const CAPABILITIES_FILE = 'clients/python/src/plimsoll/capabilities.json'

/** By capability, the names and patterns of the shipped catalogue's tools, as JSON. */
export async function capabilitiesText(): Promise<string> {
  const { catalogue } = await defaultDocuments()
  const entryOf = createEntryFinder(catalogue)
  const names = [...new Set(catalogue.tools.flatMap(({ tools }) => tools))].sort()
  const entries = ['read', 'write', 'execute', 'network'].map((capability) => {
    const of = (name: string) =>
      name.includes('*')
        ? catalogue.tools.find(({ tools }) => tools.includes(name))?.labels.capability
        : entryOf(name)?.labels.capability
    return [capability, names.filter((name) => of(name) === capability)]
  })
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}
