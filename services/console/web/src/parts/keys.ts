import { useEffect, useRef } from 'preact/hooks'

/** What each key does, by `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>

const TYPED_INTO = 'input, textarea, select, [contenteditable]'

/** Whether a key press belongs to something else: a field, a dialog, or a shortcut of the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  if (!(target instanceof Element)) return false
  return target.matches(TYPED_INTO) || target.closest('dialog') !== null
}

/** Answers `keys` on the whole page while the caller is shown. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (act === undefined || isTaken(event)) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
