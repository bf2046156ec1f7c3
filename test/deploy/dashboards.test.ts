import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dashboardFiles } from '@plimsoll/dashboards'
import { panelsOf, readDashboard } from './dashboard-files.js'
import { filesIn, readText, readYaml } from './rule-files.js'

const FOLDER = 'deploy/grafana/dashboards'

interface Datasources {
  readonly datasources: readonly { readonly uid: string; readonly type: string }[]
}

const [datasource] = (readYaml('deploy/grafana/provisioning/datasources/prometheus.yml') as Datasources)
  .datasources

for (const { name, text } of dashboardFiles())
  describe(name, () => {
    test('matches its source; else run npm run reference', () => {
      assert.equal(readText(`${FOLDER}/${name}`), text)
    })

    test('queries only the provisioned data source, in panels with unique ids', () => {
      const panels = panelsOf(readDashboard(`${FOLDER}/${name}`))
      assert.ok(panels.length > 10)
      for (const panel of panels) {
        assert.deepEqual(panel.datasource, { type: datasource?.type, uid: datasource?.uid }, panel.title)
        assert.ok(panel.targets.length > 0, panel.title)
        assert.ok(panel.description, panel.title)
      }
      const ids = panels.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
    })
  })

test('no dashboard remains of a deleted source', () => {
  assert.deepEqual(
    filesIn(FOLDER),
    dashboardFiles().map(({ name }) => `${FOLDER}/${name}`),
  )
})
