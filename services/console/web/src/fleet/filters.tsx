import { useRef } from 'preact/hooks'
import type { Fleet } from '../../../src/api.js'
import { useKeys } from '../parts/keys.js'
import { lineOf } from '../text/hidden.js'
import { LEVELS, VERDICTS } from '../text/words.js'
import type { RowFilter } from './rows.js'

type Named = 'tenant' | 'category' | 'agent' | 'level' | 'verdict'

export function Filters({
  filter,
  summary,
  onChange,
}: {
  readonly filter: RowFilter
  readonly summary: Pick<Fleet, 'tenants' | 'categories' | 'agents'> | undefined
  readonly onChange: (filter: RowFilter) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  useKeys({ '/': () => form.current?.querySelector('select')?.focus() })
  const set = (name: Named, value: string) => {
    const { [name]: _, ...rest } = filter
    onChange(value === '' ? rest : { ...rest, [name]: value })
  }
  const choices: readonly (readonly [Named, string, readonly string[]])[] = [
    ['tenant', 'Tenant', summary?.tenants ?? []],
    ['category', 'Category', summary?.categories ?? []],
    ['agent', 'Agent', summary?.agents ?? []],
    ['level', 'Risk', LEVELS],
    ['verdict', 'Had verdict', VERDICTS],
  ]
  const isFiltered = choices.some(([name]) => filter[name] !== undefined)
  return (
    <form
      ref={form}
      class="filters"
      role="search"
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      {choices.map(([name, label, values]) => (
        <label key={name}>
          <span>{label}</span>
          <select
            value={filter[name] ?? ''}
            class={filter[name] === undefined ? '' : 'set'}
            onChange={(event) => set(name, event.currentTarget.value)}
          >
            <option value="">any</option>
            {values.map((value) => (
              <option key={value} value={value}>
                {lineOf(value, 60)}
              </option>
            ))}
          </select>
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={filter.ended}
          onChange={(event) => onChange({ ...filter, ended: event.currentTarget.checked })}
        />
        <span>ended too</span>
      </label>
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onChange({ ended: filter.ended })}>
          Clear
        </button>
      )}
    </form>
  )
}
