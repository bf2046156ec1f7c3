import type { Control, ControlLog, Fault, Versions } from '@plimsoll/contracts'
import { applyControl, controlsBefore, createControlView } from '@plimsoll/engine'
import type { RuleShelf } from '@plimsoll/policy'

/** What a change makes of a partition's controls. */
export interface FoldedControl {
  /** What stands after it; where it was refused, what stood. */
  readonly log: ControlLog
  readonly fault: Fault | undefined
}

/** A report is one record of the registry, and must be one that Kafka takes. */
const LOG_BYTES_MAX = 768 * 1024

/** Folds a change, which lies at `offset`, into `log`. Pure but for the shelf. Source: docs/decisions/20261122-controls.md. */
export function foldControl(
  log: ControlLog,
  control: Control,
  offset: bigint,
  shelf: Pick<RuleShelf, 'rules' | 'defaults'>,
): FoldedControl {
  const applied = applyControl(log, control, offset)
  if ('fault' in applied) return { log, fault: applied.fault }
  const fault = sizeFault(applied.log) ?? versionFault(applied.log, control, offset, shelf)
  return fault ? { log, fault } : { log: applied.log, fault: undefined }
}

function sizeFault(log: ControlLog): Fault | undefined {
  if (Buffer.byteLength(JSON.stringify(log)) <= LOG_BYTES_MAX) return undefined
  return { code: 'controls_full', message: `the controls would take more than ${LOG_BYTES_MAX} bytes` }
}

/** What is activated must be at hand, and go together with what else is active. */
function versionFault(
  log: ControlLog,
  control: Control,
  offset: bigint,
  { rules, defaults }: Pick<RuleShelf, 'rules' | 'defaults'>,
): Fault | undefined {
  if (control.type !== 'versions.activated') return undefined
  const active: Versions = createControlView(controlsBefore(log, offset + 1n)).activeOver(defaults)
  if (rules(active)) return undefined
  const named = Object.entries(control.versions)
    .map(([kind, version]) => `${kind} \`${version}\``)
    .join(', ')
  return { code: 'version_unavailable', message: `${named} cannot be activated: not all is in the registry` }
}
