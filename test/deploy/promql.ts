/** What Grafana puts in before it asks. The rates are over windows in which a test has samples. */
export const asAsked = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h').replaceAll('$job', '.+')

/** The same without its thresholds: 1 or 0 for every series that it looks at, where it would give those alone that are over. */
export const withoutThresholds = (expr: string): string =>
  expr.replaceAll(/(?<![=!<>])(>=|<=|==|!=|>|<)(?![=~]|\s*bool)(?=\s)/g, '$1 bool')

/** The metrics that `expr` names, those of recording rules too. */
export const metricsIn = (expr: string): readonly string[] => [
  ...new Set(withoutSelectors(expr).match(/\b(?:plimsoll|process|nodejs)[_:][a-zA-Z0-9_:]+/g) ?? []),
]

/** The labels that `expr` selects or groups by. */
export const labelsIn = (expr: string): readonly string[] =>
  [
    ...new Set([
      ...[...expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/\s*,\s*/)),
      ...[...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
    ]),
  ].filter((label) => label !== '')

const withoutSelectors = (expr: string) => expr.replaceAll(/\{[^}]*\}/g, '')
