import { piecesOf } from '../text/hidden.js'

/**
 * Text of an agent, a tool, a task or a person: shown as text, never as markup or a link, with its hidden characters made visible. The
 * direction of writing is isolated, so that it cannot reorder what stands beside it.
 */
export function ShownText({
  text,
  breaks = false,
  charsMax = 4_000,
}: {
  readonly text: string
  readonly breaks?: boolean
  readonly charsMax?: number
}) {
  return (
    <bdi class={breaks ? 'shown breaks' : 'shown'}>
      {piecesOf(text, { breaks, charsMax }).map(({ text: shown, hides }) =>
        hides === undefined ? (
          shown
        ) : (
          <span class="hidden-character" title={hides}>
            {shown}
          </span>
        ),
      )}
    </bdi>
  )
}
