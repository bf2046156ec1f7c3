import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openApiDocument } from '@plimsoll/gateway'
import { stringify } from 'yaml'
import { projectRoot } from '../support/paths.js'
import { asyncApiDocument } from './asyncapi/asyncapi.js'
import { cliPage } from './pages/cli-page.js'
import { commandsPage } from './pages/commands-page.js'
import { configurationPage } from './pages/configuration-page.js'
import { errorsPage } from './pages/errors-page.js'
import { packsPage } from './pages/packs-page.js'
import { makeSamples } from './samples.js'
import { CONTRACTS, schemaDocument, type ContractName } from './schemas.js'
import { scenariosPage } from './pages/scenarios-page.js'
import { signalsPage } from './pages/signals-page.js'

/** A page of docs/reference that is made and not written. */
export interface Page {
  /** From docs/reference. */
  readonly file: string
  readonly text: string
}

/** Every such page. */
export async function generatedPages(): Promise<readonly Page[]> {
  return [
    { file: 'errors.md', text: errorsPage() },
    { file: 'configuration.md', text: configurationPage() },
    { file: 'cli.md', text: cliPage() },
    { file: 'commands.md', text: commandsPage() },
    { file: 'scenarios.md', text: scenariosPage() },
    { file: 'packs.md', text: packsPage() },
    { file: 'signals.md', text: signalsPage() },
    ...schemaPages(),
    { file: 'asyncapi.yaml', text: await asyncApiPage() },
    { file: 'openapi.json', text: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
  ]
}

export const SCHEMAS_FOLDER = 'schemas'

function schemaPages(): Page[] {
  return (Object.keys(CONTRACTS) as ContractName[]).map((name) => ({
    file: `${SCHEMAS_FOLDER}/${name}.json`,
    text: `${JSON.stringify(schemaDocument(name), null, 2)}\n`,
  }))
}

async function asyncApiPage(): Promise<string> {
  const manifest = await readFile(path.join(projectRoot, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const document = asyncApiDocument(await makeSamples(), version)
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
