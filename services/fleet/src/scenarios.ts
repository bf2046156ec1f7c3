import type { Scenario } from './scenario.js'
import { flakyTest, slowReport } from './scenarios/code-debugging.js'
import { crewRoster, harbourDues } from './scenarios/data-handling.js'
import { pressAnswer, supplierBrief } from './scenarios/research-comms.js'
import { fullDisk, keyRotation } from './scenarios/sysadmin.js'

/** The scenarios that ship with Plimsoll: two a category. */
export const SCENARIOS: readonly Scenario[] = [
  supplierBrief,
  harbourDues,
  fullDisk,
  flakyTest,
  pressAnswer,
  crewRoster,
  keyRotation,
  slowReport,
]
