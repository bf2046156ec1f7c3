import type { ControlScope, ControlSetting, Controls, Me } from '../../../src/api.js'
import { lineOf } from '../text/hidden.js'

/** Such as `agent mailer of tenant acme`. */
export function scopeWords({ tenant, agent }: ControlScope): string {
  const of = tenant === undefined ? undefined : `tenant ${lineOf(tenant, 80)}`
  if (agent === undefined) return of ?? 'the fleet'
  return `agent ${lineOf(agent, 80)}${of === undefined ? '' : ` of ${of}`}`
}

export const isSameScope = (a: ControlScope, b: ControlScope): boolean =>
  a.tenant === b.tenant && a.agent === b.agent

/** What counts for the sessions of a scope, but for settings that are narrower than the scope. */
export interface InForce {
  /** Undefined where nothing is set: verdicts are enforced. */
  readonly mode: ControlSetting | undefined
  readonly stop: ControlSetting | undefined
}

export function inForceFor(settings: readonly ControlSetting[], { tenant, agent }: ControlScope): InForce {
  const modes = settings.filter(({ setting }) => setting !== 'stop')
  // The most specific first.
  const scopes: readonly ControlScope[] = [
    { ...(tenant !== undefined && { tenant }), ...(agent !== undefined && { agent }) },
    ...(agent === undefined ? [] : [{ agent }]),
    ...(tenant === undefined ? [] : [{ tenant }]),
    {},
  ]
  const found = scopes.flatMap((scope) => modes.find((mode) => isSameScope(mode, scope)) ?? [])
  return { mode: found[0], stop: stopFor(settings, tenant) }
}

/** Of the fleet before that of the tenant. */
const stopFor = (
  settings: readonly ControlSetting[],
  tenant: string | undefined,
): ControlSetting | undefined =>
  settings.find((each) => each.setting === 'stop' && each.tenant === undefined) ??
  settings.find((each) => each.setting === 'stop' && tenant !== undefined && each.tenant === tenant)

const CHANGES: ReadonlySet<string | undefined> = new Set(['operator', 'admin'])

/** Why somebody may not change the controls of a scope, as a sentence; undefined if they may. The console checks it again. */
export function whyNoChange({ roles }: Me, controls: Pick<Controls, 'problem'>, { tenant }: ControlScope) {
  if (controls.problem !== undefined) return `Nothing can be changed here: ${controls.problem}.`
  if (tenant !== undefined) {
    const role = Object.hasOwn(roles, tenant) ? roles[tenant] : roles['*']
    return CHANGES.has(role) ? undefined : 'You may look, but not change it: ask for the role operator.'
  }
  const isEverywhere = Object.hasOwn(roles, '*') && Object.values(roles).every((role) => CHANGES.has(role))
  return isEverywhere
    ? undefined
    : 'To change the whole fleet you need the role operator in every tenant. Choose a tenant of yours.'
}
