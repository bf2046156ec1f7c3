import type { StepArguments, StepEffect, StepLabels } from '../../../src/api.js'
import { effectWords, labelWords } from '../text/words.js'
import { ShownText } from './shown-text.js'

/** What a step does to what, and what it is. */
export function StepFacts({
  effects,
  labels,
}: {
  readonly effects: readonly StepEffect[]
  readonly labels: StepLabels
}) {
  const words = labelWords(labels)
  if (effects.length === 0 && words.length === 0) return null
  return (
    <ul class="facts" aria-label="Effects and labels">
      {effects.map((effect, at) => (
        <li key={at} class={effect.certainty === 'incomplete' ? 'effect incomplete' : 'effect'}>
          {effectWords(effect)}
        </li>
      ))}
      {words.map((word) => (
        <li key={word}>
          <ShownText text={word} charsMax={60} />
        </li>
      ))}
    </ul>
  )
}

/** Exactly what would run, as far as the client discloses it. */
export function ArgumentLines({ given }: { readonly given: StepArguments | undefined }) {
  if (given === undefined || given.lines.length === 0)
    return (
      <p class="arguments-missing">
        The arguments are not disclosed
        {given?.problem !== undefined && (
          <>
            : <ShownText text={given.problem} charsMax={300} />
          </>
        )}
        .
      </p>
    )
  return (
    <div class="arguments">
      <ol class="mono">
        {given.lines.map((line, at) => (
          <li key={at}>
            <ShownText text={line} />
          </li>
        ))}
      </ol>
      {(!given.isWhole || given.isCut) && (
        <p class="arguments-missing">
          These are not all arguments
          {given.problem !== undefined && (
            <>
              : <ShownText text={given.problem} charsMax={300} />
            </>
          )}
          {given.isCut && ' (the list is cut)'}.
        </p>
      )}
    </div>
  )
}
