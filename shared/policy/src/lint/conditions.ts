import type { Policy, Spec } from '@plimsoll/contracts'
import { compileExpression } from '../expressions.js'
import type { Finding } from './finding.js'
import { patternsIn } from './walk.js'

/** Conditions that are always the same, and settings without what they set. */
export function conditionFindings(policy: Policy): Finding[] {
  return [
    ...patternsIn(policy).flatMap(({ pattern: { where }, path }): Finding[] =>
      where === undefined || compileExpression(where).reads.length > 0
        ? []
        : [
            {
              code: 'where-constant',
              path: [...path, 'where'],
              message: 'reads no argument: it gives the same for every step; read one as `args.name`',
            },
          ],
    ),
    ...policy.specs.flatMap((spec, i): Finding[] =>
      spec.counts === 'proposals' && !hasStepWindow(spec)
        ? [
            {
              code: 'counts-without-window',
              path: ['specs', i, 'counts'],
              message: 'no window of this spec is one of steps: `counts` changes nothing',
            },
          ]
        : [],
    ),
  ]
}

/** At any depth: windows are the only things with `steps`. */
function hasStepWindow(spec: Spec): boolean {
  const search = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    (Object.hasOwn(value, 'steps') || Object.values(value).some(search))
  return search(spec)
}
