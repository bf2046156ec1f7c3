/**
 * Who may use whom: docs/decisions/20261121-repository.md. A package that is not named here may
 * not exist; state the edges of a package that you add.
 */
const shared = ['chains', 'client', 'comparison', 'contracts', 'engine', 'labels', 'policy', 'runtime']

export const allowedEdges: Readonly<Record<string, readonly string[]>> = {
  'shared/contracts': [],
  'shared/engine': ['contracts'],
  'shared/labels': ['contracts'],
  'shared/chains': [],
  'shared/policy': ['contracts', 'engine', 'labels'],
  'shared/runtime': ['contracts'],
  'shared/client': ['contracts', 'engine', 'labels', 'policy', 'runtime'],
  'shared/comparison': ['contracts', 'engine'],
  'shared/operations': ['contracts', 'engine', 'policy', 'runtime'],
  'services/monitor': shared,
  'services/trainer': shared,
  'services/evaluation': [...shared, 'trainer'],
  'services/fleet': ['client', 'contracts', 'runtime'],
  'services/gateway': ['client', 'contracts', 'engine', 'labels', 'policy', 'runtime'],
  'services/otel': ['contracts', 'labels', 'policy', 'runtime'],
  'services/judge': ['contracts', 'labels', 'policy', 'runtime'],
  'services/cli': [
    ...shared,
    'monitor',
    'trainer',
    'evaluation',
    'fleet',
    'operations',
    'judge',
    'gateway',
    'otel',
  ],
  'deploy/dashboards': [],
  test: [
    ...shared,
    'monitor',
    'trainer',
    'evaluation',
    'fleet',
    'operations',
    'judge',
    'gateway',
    'otel',
    'cli',
    'dashboards',
  ],
}

/**
 * Parts of a package that have an index of their own beside the package's: with one for all, a user of one port would load the
 * clients of every broker with it.
 */
export const entryPoints: Readonly<Record<string, readonly string[]>> = {
  client: ['gateway', 'kafka', 'langchain', 'openai-agents', 'claude-agent', 'ai-sdk', 'mastra'],
  contracts: ['errors'],
  engine: ['testing'],
  trainer: ['testing'],
  runtime: ['embedded', 'kafka', 'metrics', 'redis', 'service'],
}

/** Pure packages: no `node:*`, no clock, no random numbers. Their tests may use them. */
export const purePackages: readonly string[] = ['shared/engine', 'shared/comparison', 'shared/chains']

/** The only places that may know these libraries; the rest goes through the ports. */
export const adapterLibraries: Readonly<Record<string, RegExp>> = {
  kafkajs: /^shared\/runtime\/src\/kafka\b/,
  ioredis: /^shared\/runtime\/src\/redis\b/,
  langchain: /^shared\/client\/src\/frameworks\/langchain\b/,
  '@openai/agents': /^shared\/client\/src\/frameworks\/openai-agents\b/,
  '@anthropic-ai/claude-agent-sdk': /^shared\/client\/src\/frameworks\/claude-agent\b/,
  ai: /^shared\/client\/src\/frameworks\/ai-sdk\b/,
  '@mastra/core': /^shared\/client\/src\/frameworks\/mastra\b/,
  'prom-client': /^shared\/runtime\/src\/telemetry\/prometheus\b/,
}
