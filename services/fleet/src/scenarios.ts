import { CATEGORIES, type Category, type Field, type Scenario } from './scenario.js'
import { codeDebugging } from './scenarios/code-debugging.js'
import { dataHandling } from './scenarios/data-handling.js'
import { researchComms } from './scenarios/research-comms.js'
import { sysadmin } from './scenarios/sysadmin.js'

const FIELDS: Readonly<Record<Category, Field>> = {
  data_handling: dataHandling,
  sysadmin,
  research_comms: researchComms,
  code_debugging: codeDebugging,
}

/** The scenarios that ship with Plimsoll: ten a category, category by category. */
export const SCENARIOS: readonly Scenario[] = CATEGORIES.flatMap((each) => {
  const { category, habits, tasks } = FIELDS[each]
  return tasks.map((task) => ({ ...task, category, habits }))
})
