import type { CatalogueEntry } from '@plimsoll/contracts'
import { stringify } from 'yaml'

const HEAD = `# What a model made of tools that no catalogue labels. Nothing is decided by this file: read each entry, mend it, and
# move it into the catalogue. The descriptions are the model's, on names that agents gave.
`

/** A catalogue of `entries` as YAML. */
export function candidatesText(entries: readonly CatalogueEntry[]): string {
  const catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'candidates', tools: entries }
  return `${HEAD}${stringify(catalogue, { lineWidth: 120 })}`
}
