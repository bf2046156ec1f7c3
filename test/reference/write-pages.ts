/** `npm run reference`: writes everything that is made from the code: the pages of docs/reference, the dashboards, the Python client's capabilities. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dashboardFiles } from '@plimsoll/dashboards'
import { CAPABILITIES_FILE, capabilitiesText } from '../clients/capabilities.js'
import { projectRoot } from '../support/paths.js'
import { generatedPages } from './pages.js'

const write = (file: string, text: string) => {
  const target = path.join(projectRoot, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}

for (const { file, text } of await generatedPages()) write(`docs/reference/${file}`, text)
for (const { name, text } of dashboardFiles()) write(`deploy/grafana/dashboards/${name}`, text)
write(CAPABILITIES_FILE, await capabilitiesText())
