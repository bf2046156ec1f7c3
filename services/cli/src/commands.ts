import type { Command } from './command.js'
import { control } from './commands/control/control.js'
import { publish } from './commands/control/publish.js'
import { category, label, labelCheck } from './commands/documents/label.js'
import { policyLint, policyPacks, policyTest } from './commands/documents/policy.js'
import { verify } from './commands/documents/verify.js'
import { evaluation } from './commands/models/eval.js'
import { explain } from './commands/models/explain.js'
import { fit } from './commands/models/fit.js'
import { replay } from './commands/models/replay.js'
import { approve } from './commands/operate/approve.js'
import { declassify, sessionsLabel } from './commands/operate/declassify.js'
import { dlqList, dlqRedrive, dlqShow } from './commands/operate/dlq.js'
import { doctor } from './commands/operate/doctor.js'
import { rebuild } from './commands/operate/rebuild.js'
import { sessionsList, sessionsShow } from './commands/operate/sessions.js'
import { completionCommand } from './commands/run/completion.js'
import { fleet } from './commands/run/fleet.js'
import { mcp, mcpApprove } from './commands/run/mcp.js'
import { gateway, judge, monitor, otel } from './commands/run/services.js'
import { up } from './commands/run/up.js'

const commands: readonly Command[] = [
  up,
  monitor,
  gateway,
  mcp,
  mcpApprove,
  otel,
  judge,
  fleet,
  doctor,
  sessionsList,
  sessionsShow,
  sessionsLabel,
  approve,
  declassify,
  dlqList,
  dlqShow,
  dlqRedrive,
  ...control,
  publish,
  rebuild,
  policyLint,
  policyTest,
  policyPacks,
  verify,
  label,
  labelCheck,
  category,
  explain,
  replay,
  fit,
  evaluation,
]

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [...commands, completionCommand(commands)]
