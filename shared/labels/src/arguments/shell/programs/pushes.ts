import { type Effects, signal } from '../../effects.js'
import { patternOf, readTable, longPattern } from '../../../text/data.js'
import { type Call, isOpen, operandsOf } from '../call.js'

/** Options of a push that change neither where it goes nor what runs. */
const PUSH_OPTION = patternOf(readTable<string>('shell', 'pushOptions'))
/** A remote by its name, or a branch, tag or pair of them. */
const PUSH_NAME = longPattern('pushes.PUSH_NAME')

/** Reads a `git push`. Returns whether it sends what the repository holds to one of its remotes, and nothing else. `call` begins with `push`. */
export const readPush = (call: Call, effects: Effects): boolean => isPlainPush(call) && signalPush(effects)

const isPlainPush = (call: Call): boolean =>
  call.name === 'push' &&
  !isOpen(call) &&
  call.args.every((arg) => (arg.startsWith('-') ? PUSH_OPTION : PUSH_NAME).test(arg)) &&
  /^(?:|origin|upstream)$/.test(operandsOf(call)[0] ?? '')

/** Commands that ask others to take over branches, or speak to them. */
const REQUESTS = /^(?:pr|mr|issue)$/
const REQUESTING = longPattern('pushes.REQUESTING')
/** Their options whose values are all that is sent. */
const TEXT_OPTION = patternOf(readTable<string>('shell', 'requestOptions'))

/** Reads `gh pr create` and the like. Returns whether they send their arguments and what branches hold, and nothing else. */
export const readRequest = (name: string, call: Call, effects: Effects): boolean =>
  isPlainRequest(name, call) && signalPush(effects)

function isPlainRequest(name: string, call: Call): boolean {
  if ((name !== 'gh' && name !== 'glab') || isOpen(call) || call.piped) return false
  const [topic = '', act = ''] = call.args
  return (
    REQUESTS.test(topic) &&
    REQUESTING.test(act) &&
    call.args.slice(2).every((arg, i, all) => isPlainText(arg, all[i - 1] ?? ''))
  )
}

/** Another account's branch has a colon in its name. */
const isPlainText = (arg: string, before: string): boolean =>
  (!/^--?\w/.test(arg) || TEXT_OPTION.test(arg)) &&
  !(/^(?:-H|--head)$/.test(before) && arg.includes(':')) &&
  !/^(?:-H|--head=)[^:]*:/.test(arg)

/** Records that a step sends what files of the project hold, which only the session can know. */
export function signalPush(effects: Effects): true {
  signal(effects, 'pushes', 1)
  signal(effects, 'records', 1)
  return true
}
