import type { Command } from './command.js'
import { activate } from './commands/activate.js'
import { approve } from './commands/approve.js'
import { category } from './commands/category.js'
import { controls } from './commands/controls.js'
import { declassify } from './commands/declassify.js'
import { dlqList, dlqRedrive, dlqShow } from './commands/dlq.js'
import { doctor } from './commands/doctor.js'
import { evaluation } from './commands/eval.js'
import { fit } from './commands/fit.js'
import { fleet } from './commands/fleet.js'
import { gateway } from './commands/gateway.js'
import { otel } from './commands/otel.js'
import { judge } from './commands/judge.js'
import { label, labelCheck } from './commands/label.js'
import { mode } from './commands/mode.js'
import { mcpApprove } from './commands/mcp-approve.js'
import { mcp } from './commands/mcp.js'
import { monitor } from './commands/monitor.js'
import { policyLint } from './commands/policy-lint.js'
import { policyPacks } from './commands/policy-packs.js'
import { policyTest } from './commands/policy-test.js'
import { publish } from './commands/publish.js'
import { rebuild } from './commands/rebuild.js'
import { replay } from './commands/replay.js'
import { resume } from './commands/resume.js'
import { stop } from './commands/stop.js'
import { sessionsLabel } from './commands/sessions-label.js'
import { sessionsList, sessionsShow } from './commands/sessions.js'
import { up } from './commands/up.js'
import { verify } from './commands/verify.js'

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
