/**
 * The folders of each package, the lowest first: a folder may use those before it, and files of the package's root that do not use it
 * in turn. A package that is not named here may have folders, but no order is stated for them yet.
 */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
  'shared/contracts': ['identity', 'policy', 'events', 'decision', 'control', 'gateway'],
  'shared/engine': ['labels', 'provenance', 'state', 'risk', 'specs', 'verdict', 'controls', 'events'],
  'shared/labels': [
    'text',
    'acts',
    'content',
    'instructions',
    'category',
    'conduct',
    'provenance',
    'tools',
    'arguments',
    'approvals',
    'authoring',
  ],
  'shared/policy': ['specs', 'compile', 'document', 'verify', 'alloy', 'lint', 'cases'],
  'shared/runtime': ['ports', 'telemetry', 'config', 'embedded', 'redis', 'kafka'],
  'shared/client': ['observe', 'approvals', 'pending', 'transport', 'session', 'frameworks'],
  'shared/operations': ['dead-letters', 'sessions', 'doctor', 'control'],
  'services/monitor': [
    'records',
    'fold',
    'controls',
    'shadow',
    'metrics',
    'deadlines',
    'rebuild',
    'pipeline',
  ],
  'services/gateway': ['auth', 'sessions', 'http', 'stream', 'mcp'],
  'services/otel': ['otlp'],
  'services/judge': ['protocols', 'asking'],
  'services/fleet': [],
  'services/cli': ['format', 'commands'],
  'lab/chains': ['metrics', 'calibration', 'orders', 'trees'],
  'lab/fit': ['corpus', 'fit', 'bundle', 'refit'],
  'lab/measure': ['metrics', 'baselines', 'chains', 'folds', 'judge', 'what-if', 'report'],
}
