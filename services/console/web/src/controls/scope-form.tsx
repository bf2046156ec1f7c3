import { useEffect, useState } from 'preact/hooks'
import type { ControlScope, Controls } from '../../../src/api.js'
import { fetchFleet } from '../api/requests.js'
import { controlsLink } from '../parts/route.js'
import { lineOf } from '../text/hidden.js'

interface Names {
  readonly tenants: readonly string[]
  readonly agents: readonly string[]
}

/** Chooses the scope: the address then names it. */
export function ScopeForm({
  controls,
  scope,
}: {
  readonly controls: Controls
  readonly scope: ControlScope
}) {
  const [known, setKnown] = useState<Names>({ tenants: [], agents: [] })
  useEffect(() => {
    let isShown = true
    // Without them what is set already can be chosen.
    void fetchFleet({}, 1).then(
      ({ tenants, agents }) => isShown && setKnown({ tenants, agents }),
      () => undefined,
    )
    return () => void (isShown = false)
  }, [])
  const named = [scope, ...controls.settings]
  const tenants = namesOf(
    known.tenants,
    named.map(({ tenant }) => tenant),
  )
  const agents = namesOf(
    known.agents,
    named.map(({ agent }) => agent),
  )
  const choose = (name: keyof ControlScope, value: string) => {
    const { [name]: _, ...rest } = scope
    location.assign(controlsLink(value === '' ? rest : { ...rest, [name]: value }))
  }
  return (
    <form class="filters" aria-label="For whom" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label="Tenant"
        any="every tenant"
        value={scope.tenant}
        values={tenants}
        onChoose={(value) => choose('tenant', value)}
      />
      <Choice
        label="Agent"
        any="every agent"
        value={scope.agent}
        values={agents}
        onChoose={(value) => choose('agent', value)}
      />
    </form>
  )
}

const namesOf = (known: readonly string[], named: readonly (string | undefined)[]): readonly string[] =>
  [...new Set([...known, ...named.flatMap((name) => name ?? [])])].sort()

function Choice({
  label,
  any,
  value,
  values,
  onChoose,
}: {
  readonly label: string
  readonly any: string
  readonly value: string | undefined
  readonly values: readonly string[]
  readonly onChoose: (value: string) => void
}) {
  return (
    <label>
      <span>{label}</span>
      <select
        value={value ?? ''}
        class={value === undefined ? '' : 'set'}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{any}</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {lineOf(each, 60)}
          </option>
        ))}
      </select>
    </label>
  )
}
