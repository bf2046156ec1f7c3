import type { Command } from './command.js'
import { category } from './commands/category.js'
import { activate } from './commands/control/activate.js'
import { controls } from './commands/control/controls.js'
import { mode } from './commands/control/mode.js'
import { publish } from './commands/control/publish.js'
import { resume, stop } from './commands/control/stop.js'
import { dlqList, dlqRedrive, dlqShow } from './commands/dlq.js'
import { doctor } from './commands/doctor.js'
import { evaluation } from './commands/eval.js'
import { fit } from './commands/fit.js'
import { fleet } from './commands/fleet.js'
import { label, labelCheck } from './commands/label.js'
import { mcpApprove } from './commands/mcp-approve.js'
import { mcp } from './commands/mcp.js'
import { policyLint } from './commands/policy/lint.js'
import { policyPacks } from './commands/policy/packs.js'
import { policyTest } from './commands/policy/test-cases.js'
import { verify } from './commands/policy/verify.js'
import { replay } from './commands/replay.js'
import { gateway } from './commands/services/gateway.js'
import { judge } from './commands/services/judge.js'
import { monitor } from './commands/services/monitor.js'
import { otel } from './commands/services/otel.js'
import { up } from './commands/services/up.js'
import { approve } from './commands/sessions/approve.js'
import { declassify } from './commands/sessions/declassify.js'
import { sessionsLabel } from './commands/sessions/label.js'
import { rebuild } from './commands/sessions/rebuild.js'
import { sessionsList, sessionsShow } from './commands/sessions/sessions.js'

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  up,
  monitor,
  gateway,
  mcp,
  mcpApprove,
  otel,
  judge,
  doctor,
  sessionsList,
  sessionsShow,
  sessionsLabel,
  dlqList,
  dlqShow,
  dlqRedrive,
  fleet,
  replay,
  approve,
  declassify,
  fit,
  evaluation,
  label,
  labelCheck,
  category,
  policyLint,
  policyTest,
  policyPacks,
  verify,
  publish,
  activate,
  mode,
  stop,
  resume,
  controls,
  rebuild,
]
