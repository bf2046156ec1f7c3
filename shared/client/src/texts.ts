import { EVENT_TEXTS_CHARS_MAX, PlimsollError, type EventTexts } from '@plimsoll/contracts'
import { textOf } from '@plimsoll/labels'
import type { ProposedStep, SessionOptions, StepResult } from './session.js'

/** The texts that events speak of, as they travel beside them; undefined where there are none. */
export interface TextsOf {
  started(told: Pick<SessionOptions, 'task' | 'user'>): string | undefined
  instructed(text: string): string | undefined
  /** Throws `event_oversize`: what nobody could look at is not to run. */
  proposed(step: Pick<ProposedStep, 'tool' | 'arguments' | 'description'>): string | undefined
  /** Of a long result what is read of it. */
  completed(result: Pick<StepResult, 'result' | 'arguments'>): string | undefined
}

const noTexts: TextsOf = {
  started: () => undefined,
  instructed: () => undefined,
  proposed: () => undefined,
  completed: () => undefined,
}

const onlyUser: TextsOf = { ...noTexts, started: ({ user }) => written({ user }) }

const allTexts: TextsOf = {
  started: ({ task, user }) => written({ user, task: task === undefined ? undefined : textOf(task) }),
  instructed: (text) => written({ task: textOf(text) }),
  // A step without arguments says so: where they are left out, nobody has seen them.
  proposed: ({ tool, arguments: values = {}, description }) => {
    const texts = written({ arguments: values, description })
    if (texts === undefined || texts.length <= EVENT_TEXTS_CHARS_MAX) return texts
    const message = `the arguments of \`${tool}\` are ${texts.length} characters, and ${EVENT_TEXTS_CHARS_MAX} travel`
    throw new PlimsollError('event_oversize', message)
  },
  // Whoever digests what was proposed digests what ran: there digests are under another key.
  completed: ({ result, arguments: ran }) =>
    written({ arguments: ran, result: result === undefined ? undefined : textOf(result) }),
}

/** What goes beside the events of a channel, as it takes them. */
export const textsFor = (takesTexts: boolean | undefined): TextsOf =>
  takesTexts === undefined ? noTexts : takesTexts ? allTexts : onlyUser

function written(texts: { readonly [K in keyof EventTexts]: EventTexts[K] | undefined }): string | undefined {
  return Object.values(texts).every((each) => each === undefined) ? undefined : JSON.stringify(texts)
}
