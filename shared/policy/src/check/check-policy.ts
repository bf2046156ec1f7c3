import type { PolicyParts } from '@plimsoll/contracts'
import type { Problem } from '../source/problem.js'
import { declassifierProblems } from './declassifiers.js'
import { expressionProblems } from './expressions.js'
import { labelProblems } from './labels.js'
import { memoryProblems } from './memory.js'
import { referenceProblems } from './references.js'
import { specProblems } from './specs.js'

/**
 * What is wrong in a policy beyond its form: names of what is not there, specs that say nothing, expressions that cannot be compiled,
 * declassifiers in a circle, more memory than a session has. Empty where it can be compiled. Takes time that grows with its length.
 */
export function checkPolicy(policy: PolicyParts): Problem[] {
  return [
    ...referenceProblems(policy),
    ...policy.specs.flatMap((spec, i) => specProblems(spec, ['specs', i])),
    ...expressionProblems(policy),
    ...declassifierProblems(policy.declassifiers ?? []),
    ...labelProblems(policy),
    ...memoryProblems(policy.specs),
  ]
}
