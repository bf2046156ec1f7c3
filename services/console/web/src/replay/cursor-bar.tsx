/** Moves the cursor; its place is behind the last step where it is `last`. */
export function CursorBar({
  place,
  last,
  onMove,
}: {
  readonly place: number
  readonly last: number
  readonly onMove: (place: number) => void
}) {
  const words = place === last ? 'the end' : `step ${place + 1} of ${last}`
  return (
    <section class="cursor-bar" aria-label="Cursor">
      <button type="button" disabled={place === 0} onClick={() => onMove(place - 1)}>
        ← Previous
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={place}
        aria-label="Step"
        aria-valuetext={words}
        onInput={(event) => onMove(Number(event.currentTarget.value))}
      />
      <button type="button" disabled={place === last} onClick={() => onMove(place + 1)}>
        Next →
      </button>
      <output role="status">{words}</output>
    </section>
  )
}
