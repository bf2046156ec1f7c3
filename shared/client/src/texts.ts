import { EVENT_TEXTS_CHARS_MAX, PlimsollError, type EventTexts } from '@plimsoll/contracts'
import { textOf } from '@plimsoll/labels'
import type { ProposedStep, SessionOptions, StepResult } from './session.js'

/** The texts that events speak of, as they travel beside them; undefined where there are none. */
export interface TextsOf {
  started(told: Pick<SessionOptions, 'task'>): string | undefined
  /** Throws `event_oversize`: what nobody could look at is not to run. */
  proposed(step: Pick<ProposedStep, 'tool' | 'arguments' | 'description'>): string | undefined
  /** Of a long result what is read of it. */
  completed(result: Pick<StepResult, 'result'>): string | undefined
}

export const noTexts: TextsOf = {
  started: () => undefined,
  proposed: () => undefined,
  completed: () => undefined,
}

export const allTexts: TextsOf = {
  started: ({ task }) => written(task === undefined ? {} : { task: textOf(task) }),
  proposed: ({ tool, arguments: values, description }) => {
    const texts = written({
      ...(values && { arguments: values }),
      ...(description !== undefined && { description }),
    })
    if (texts === undefined || texts.length <= EVENT_TEXTS_CHARS_MAX) return texts
    const message = `the arguments of \`${tool}\` are ${texts.length} characters, and ${EVENT_TEXTS_CHARS_MAX} travel`
    throw new PlimsollError('event_oversize', message)
  },
  completed: ({ result }) => written(result === undefined ? {} : { result: textOf(result) }),
}

function written(texts: EventTexts): string | undefined {
  return Object.keys(texts).length === 0 ? undefined : JSON.stringify(texts)
}
