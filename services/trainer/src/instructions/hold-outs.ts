import type { HoldOut } from './evaluation.js'
import type { RecordedResult } from './recorded.js'

const templatesOf = (results: readonly RecordedResult[]): string[] =>
  [...new Set(results.map(({ template }) => template))].filter((template) => template !== '').sort()

/** Each template by itself: the wordings of the others are known to the fit, and some differ from it by a name alone. */
export const holdOutTemplates = (results: readonly RecordedResult[]): HoldOut[] =>
  templatesOf(results).map((name) => ({ name, template: (template) => template === name }))

/** Templates that are nothing like the rest. Those left are one family, variations of one letter in a tag. */
const DISTINCT = ['direct', 'ignore_previous', 'injecagent']

/** Families of templates: no wording of the one held out, nor any near it, is known to the fit. */
export function holdOutFamilies(results: readonly RecordedResult[]): HoldOut[] {
  const alone = DISTINCT.map((name): HoldOut => ({ name, template: (template) => template === name }))
  const family = new Set(templatesOf(results).filter((template) => !DISTINCT.includes(template)))
  return [...alone, { name: 'all others', template: (template) => family.has(template) }]
}
