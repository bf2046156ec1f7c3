/**
 * Who may use whom: docs/decisions/20261121-repository.md. A package that is not named here may
 * not exist; state the edges of a package that you add.
 */
const shared = ['client', 'comparison', 'contracts', 'engine', 'labels', 'policy', 'runtime']
/** Nothing that serves may use these. */
const lab = ['chains', 'fit', 'measure']

export const allowedEdges: Readonly<Record<string, readonly string[]>> = {
  'shared/contracts': [],
  'shared/engine': ['contracts'],
  'shared/labels': ['contracts'],
  'shared/policy': ['contracts', 'engine', 'labels'],
  'shared/runtime': ['contracts'],
  'shared/client': ['contracts', 'engine', 'labels', 'policy', 'runtime'],
  'shared/comparison': ['contracts', 'engine'],
  'shared/operations': ['contracts', 'engine', 'policy', 'runtime'],
  'services/monitor': shared,
  'services/fleet': ['client', 'contracts', 'runtime'],
  'services/gateway': ['client', 'contracts', 'engine', 'labels', 'policy', 'runtime'],
  'services/otel': ['contracts', 'labels', 'policy', 'runtime'],
  'services/console': ['client', 'contracts', 'labels', 'operations', 'policy', 'runtime'],
  'services/proof': ['contracts', 'runtime'],
  'services/hooks': ['client', 'contracts'],
  'services/judge': ['contracts', 'labels', 'policy', 'runtime'],
  'services/cli': [
    ...shared,
    ...lab,
    'monitor',
    'fleet',
    'operations',
    'judge',
    'gateway',
    'otel',
    'hooks',
    'console',
    'proof',
  ],
  'lab/chains': [],
  'lab/fit': [...shared, 'chains'],
  'lab/measure': [...shared, 'chains', 'fit'],
  'deploy/dashboards': [],
  test: [
    ...shared,
    ...lab,
    'monitor',
    'fleet',
    'operations',
    'judge',
    'gateway',
    'otel',
    'hooks',
    'console',
    'proof',
    'cli',
    'dashboards',
  ],
}

/**
 * Parts of a package that have an index of their own beside the package's: with one for all, a user of one port would load the
 * clients of every broker with it.
 */
export const entryPoints: Readonly<Record<string, readonly string[]>> = {
  client: ['gateway', 'kafka', 'langchain', 'openai-agents', 'claude-agent', 'ai-sdk', 'mastra', 'services'],
  contracts: ['errors'],
  engine: ['testing'],
  fit: ['testing'],
  runtime: ['embedded', 'kafka', 'metrics', 'redis', 'service'],
}

/** Pure packages: no `node:*`, no clock, no random numbers. Their tests may use them. */
export const purePackages: readonly string[] = ['shared/engine', 'shared/comparison', 'lab/chains']

/** The only places that may know these libraries; the rest goes through the ports. */
export const adapterLibraries: Readonly<Record<string, RegExp>> = {
  kafkajs: /^shared\/runtime\/src\/kafka\b/,
  ioredis: /^shared\/runtime\/src\/redis\b/,
  langchain: /^shared\/client\/src\/frameworks\/langchain\b/,
  '@openai/agents': /^shared\/client\/src\/frameworks\/openai-agents\b/,
  '@anthropic-ai/claude-agent-sdk': /^shared\/client\/src\/frameworks\/claude-agent\b/,
  ai: /^shared\/client\/src\/frameworks\/ai-sdk\b/,
  '@mastra/core': /^shared\/client\/src\/frameworks\/mastra\b/,
  libsql: /^services\/console\/src\/store\b/,
  'prom-client': /^shared\/runtime\/src\/telemetry\/prometheus\b/,
}
