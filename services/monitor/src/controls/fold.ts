import type { Control, ControlLog, Fault, SomeVersions, Versions } from '@plimsoll/contracts'
import { applyControl, controlsBefore, createControlView } from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'

/** A partition's controls after a change. */
export interface FoldedControl {
  /** Unchanged if the change was refused. */
  readonly log: ControlLog
  readonly fault: Fault | undefined
}

/** A report is one record of the registry; Kafka limits its size. */
const LOG_BYTES_MAX = 768 * 1024

/** Folds the change at `offset` into `log`. Pure except for the rules cache. Source: docs/decisions/20261122-controls.md. */
export function foldControl(
  log: ControlLog,
  control: Control,
  offset: bigint,
  rulesCache: Pick<RulesCache, 'rules' | 'defaults'>,
): FoldedControl {
  const applied = applyControl(log, control, offset)
  if ('fault' in applied) return { log, fault: applied.fault }
  const fault = sizeFault(applied.log) ?? versionFault(applied.log, control, offset, rulesCache)
  return fault ? { log, fault } : { log: applied.log, fault: undefined }
}

function sizeFault(log: ControlLog): Fault | undefined {
  if (Buffer.byteLength(JSON.stringify(log)) <= LOG_BYTES_MAX) return undefined
  return { code: 'controls_full', message: `the controls would take more than ${LOG_BYTES_MAX} bytes` }
}

/** Activated or shadowed versions must be available, and compatible with the other active versions. */
function versionFault(
  log: ControlLog,
  control: Control,
  offset: bigint,
  { rules, defaults }: Pick<RulesCache, 'rules' | 'defaults'>,
): Fault | undefined {
  const named = namedBy(control)
  if (named.length === 0) return undefined
  const view = createControlView(controlsBefore(log, offset + 1n))
  const active: Versions = view.activeOver(defaults)
  const judging = control.type === 'shadow.changed' ? (view.shadowOf(active) ?? active) : active
  if (rules(judging)) return undefined
  const what = named.map(([kind, version]) => `${kind} \`${version}\``).join(', ')
  const doing = control.type === 'shadow.changed' ? 'run in shadow' : 'be activated'
  return {
    code: 'version_unavailable',
    message: `${what} cannot ${doing}: a document is missing in the registry, or the bundle needs more than this monitor can compute`,
  }
}

/** The documents that `control` needs, by kind. */
function namedBy(control: Control): readonly (readonly [kind: string, version: string])[] {
  if (control.type === 'shadow.changed') return control.candidate ? definedIn(control.candidate) : []
  return control.type === 'versions.activated' ? definedIn(control.versions) : []
}

const definedIn = (versions: SomeVersions): [kind: string, version: string][] =>
  Object.entries(versions).filter((entry): entry is [string, string] => entry[1] !== undefined)
