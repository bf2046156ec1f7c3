import { cliPage } from './cli-page.js'
import { configurationPage } from './configuration-page.js'
import { errorsPage } from './errors-page.js'

/** A page of docs/reference that is made and not written. */
export interface Page {
  /** From docs/reference. */
  readonly file: string
  readonly text: string
}

/** Every such page. */
export function generatedPages(): readonly Page[] {
  return [
    { file: 'errors.md', text: errorsPage() },
    { file: 'configuration.md', text: configurationPage() },
    { file: 'cli.md', text: cliPage() },
  ]
}
