import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { consoleSettings } from '@plimsoll/console'
import { topicsOf } from '@plimsoll/contracts'
import { gatewaySettings } from '@plimsoll/gateway'
import { monitorSettings } from '@plimsoll/monitor'
import { parseAllDocuments } from 'yaml'
import { DEPLOY_TOOLS, findProgram } from './programs.js'
import { createManifestCheck, hasSchemas, type Manifest } from './kubernetes-schemas.js'
import { RULES, filesIn, readYaml } from './rule-files.js'

const CHART = 'deploy/helm/plimsoll'
const VALUES = 'test/deploy/chart-values'
/** What it is rendered for; without a cluster helm would take a version of its own. */
const KUBERNETES = ['--kube-version', '1.34.0']

const helm = findProgram('helm', DEPLOY_TOOLS)
const skip = helm.skip || (!hasSchemas && `no schemas of Kubernetes: ${DEPLOY_TOOLS}`)

const render = async (file: string): Promise<readonly Manifest[]> => {
  const text = await helm.output(['template', 'acme', CHART, '--values', file, ...KUBERNETES])
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

interface Scaling {
  readonly maxReplicaCount: number
  readonly triggers: readonly { readonly metadata: Readonly<Record<string, string>> }[]
}

interface Workload {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
  readonly template: {
    readonly spec: {
      readonly enableServiceLinks?: boolean
      readonly containers: readonly {
        readonly args: readonly string[]
        readonly env?: readonly { readonly name: string; readonly value: string }[]
        readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
      }[]
    }
  }
}

const byName = (a: Manifest, b: Manifest) => nameOf(a).localeCompare(nameOf(b))
const nameOf = ({ metadata }: Manifest) => metadata.name

const ALWAYS = ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount']
const ASKED_FOR = ['ConfigMap', 'NetworkPolicy', 'PrometheusRule', 'ScaledObject', 'ServiceMonitor']
/** Of the gateways, beside the monitors'. */
const OF_GATEWAYS = ['Deployment', 'PodDisruptionBudget', 'Service', 'ServiceMonitor']
/** One pod: a budget of disruptions would hold up every node that it is on. */
const OF_CONSOLE = ['Deployment', 'Service', 'ServiceMonitor']
const KINDS: Readonly<Record<string, readonly string[]>> = {
  [`${VALUES}/least.yaml`]: ALWAYS,
  [`${VALUES}/all.yaml`]: [...ALWAYS, ...ASKED_FOR, ...OF_GATEWAYS, ...OF_CONSOLE],
}

describe('the chart', { skip }, () => {
  for (const file of filesIn(VALUES))
    test(`${file}: helm finds nothing wrong, and Kubernetes accepts every manifest`, async () => {
      await helm.output(['lint', '--strict', '--values', file, CHART])
      const manifests = await render(file)
      assert.deepEqual(manifests.map(({ kind }) => kind).sort(), KINDS[file]?.toSorted())
      const check = createManifestCheck()
      for (const manifest of manifests) assert.deepEqual(check(manifest), [], manifest.kind)
    })

  test('reports a field unknown to Kubernetes', async () => {
    const check = createManifestCheck()
    const manifests = await render(`${VALUES}/all.yaml`)
    for (const kind of ['Deployment', 'ScaledObject']) {
      const manifest = manifests.find((each) => each.kind === kind)
      assert.ok(manifest)
      assert.match(
        check({ ...manifest, spec: { ...(manifest.spec as object), replica: 2 } }).join('\n'),
        /replica/,
      )
    }
  })

  describe('with everything switched on', () => {
    let manifests: readonly Manifest[] = []
    /** Of the monitors, where gateways have one too. */
    const specOf = (kind: string) => manifests.find((each) => each.kind === kind)?.spec as object
    const deploymentOf = (part: string) =>
      manifests.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `acme-plimsoll-${part}`,
      )
    before(async () => {
      manifests = (await render(`${VALUES}/all.yaml`)).toSorted(byName)
    })

    test('has the rules of deploy/prometheus, each with its runbook address', () => {
      const { groups } = specOf('PrometheusRule') as { groups: unknown[] }
      const files = [`${RULES}/recording.yml`, `${RULES}/alerts.yml`]
      assert.deepEqual(files.toSorted(), filesIn(RULES))
      const expected = files.flatMap((file) => (readYaml(file) as { groups: unknown[] }).groups)
      const text = JSON.stringify(groups)
      const base = 'https://example.org/plimsoll/'
      assert.equal(text.split(`"runbook_url":"${base}docs/`).length - 1, text.split('"alert":').length - 1)
      assert.deepEqual(JSON.parse(text.replaceAll(`"${base}docs/`, '"docs/')), expected)
    })

    test('sets only valid, non-secret settings of the monitor', () => {
      const settings = manifests.find(({ kind, data }) => kind === 'ConfigMap' && data?.['KAFKA_BROKERS'])
      for (const [name, value] of Object.entries(settings?.data ?? {})) {
        const setting = Object.values(monitorSettings).find(({ env }) => env === name)
        assert.ok(setting, name)
        assert.ok(setting.parse(value).ok, `${name}=${value}`)
        assert.ok(!setting.isSecret, name)
      }
      assert.equal(
        settings?.data?.['PLIMSOLL_POLICIES'],
        '/etc/plimsoll/policies/acme.yaml,/etc/plimsoll/policies/before.yaml',
      )
    })

    for (const [part, known] of [
      ['gateway', gatewaySettings],
      ['console', consoleSettings],
    ] as const)
      test(`runs the ${part} in pods of its own, with only non-secret settings that it has`, () => {
        const found = deploymentOf(part)
        assert.ok(found)
        const { selector, template } = found.spec as Workload
        const monitors = (specOf('Service') as { selector: Record<string, string> }).selector
        assert.notEqual(selector.matchLabels['app.kubernetes.io/name'], monitors['app.kubernetes.io/name'])
        const [container] = template.spec.containers
        assert.deepEqual(container?.args, [part])
        for (const { name, value } of container?.env ?? []) {
          const setting = Object.values(known).find(({ env }) => env === name)
          assert.ok(setting, name)
          assert.ok(setting.parse(value).ok, `${name}=${value}`)
          assert.ok(!setting.isSecret, name)
        }
      })

    test('the console keeps its database where one pod alone writes', () => {
      const { spec } = deploymentOf('console') ?? {}
      const { replicas, strategy, template } = spec as Workload & {
        readonly replicas: number
        readonly strategy: { readonly type: string }
      }
      assert.deepEqual([replicas, strategy.type], [1, 'Recreate'])
      const file = template.spec.containers[0]?.env?.find(
        ({ name }) => name === consoleSettings.databaseFile.env,
      )
      const mounted = template.spec.containers[0]?.volumeMounts?.find(({ name }) => name === 'data')
      assert.ok(mounted && file?.value.startsWith(`${mounted.mountPath}/`))
    })

    test('service variables of the namespace cannot clash with settings', () => {
      const workloads = manifests.filter(({ kind }) => kind === 'Deployment')
      assert.equal(workloads.length, 3)
      for (const { spec } of workloads)
        assert.equal((spec as Workload).template.spec.enableServiceLinks, false)
    })

    test('scales by the lag of its own group and topic, up to the number of partitions', () => {
      const spec = specOf('ScaledObject') as Scaling
      assert.equal(spec.maxReplicaCount, 24)
      const { consumerGroup, topic, sasl, tls } = spec.triggers[0]?.metadata ?? {}
      const expected = ['acme-monitor', topicsOf('acme').events, 'scram_sha512', 'enable']
      assert.deepEqual([consumerGroup, topic, sasl, tls], expected)
      assert.ok(!('replicas' in specOf('Deployment')), 'only the scaler sets replicas')
    })
  })

  const wrong = [
    { name: 'no brokers', set: 'existingSecret=plimsoll', found: /kafka\.brokers: where is Kafka/ },
    { name: 'no secret', set: 'kafka.brokers=kafka:9092', found: /existingSecret: which secret/ },
    { name: 'a value that there is not', set: 'kafak.brokers=kafka:9092', found: /kafak/ },
    { name: 'brokers without a port', set: 'kafka.brokers=kafka', found: /brokers/ },
    {
      name: 'a secret among the settings',
      set: 'settings.PLIMSOLL_SIGNING_KEY=x',
      found: /PLIMSOLL_SIGNING_KEY/,
    },
    {
      name: 'gateways without principals',
      set: 'gateway.enabled=true,existingSecret=plimsoll,kafka.brokers=kafka:9092',
      found: /gateway\.existingSecret: which secret/,
    },
    {
      name: 'a console without users',
      set: 'console.enabled=true,existingSecret=plimsoll,kafka.brokers=kafka:9092',
      found: /console\.existingSecret: which secret has users\.yaml/,
    },
    { name: 'no monitor', set: 'replicas=0', found: /replicas/ },
  ]
  for (const { name, set, found } of wrong)
    test(`refused: ${name}`, () =>
      assert.rejects(helm.output(['template', 'acme', CHART, '--set', set, ...KUBERNETES]), found))
})
