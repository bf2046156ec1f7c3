import type { ControlEntry, ControlRequest, ControlScope, ControlSent } from '../../../src/api.js'
import type { Notice } from '../api/hub.js'
import { RequestProblem, changeControls } from '../api/requests.js'
import { counted } from '../text/format.js'
import { lineOf } from '../text/hidden.js'
import { scopeWords } from './scopes.js'

export type ControlAction = ControlRequest['action']

export const ACTION_WORDS: Readonly<Record<ControlAction, string>> = {
  observe: 'Observe',
  enforce: 'Enforce',
  inherit: 'Remove the mode',
  stop: 'Stop',
  resume: 'Resume',
}

/** What a change will do, sentence by sentence: shown before it is confirmed. */
export function consequencesOf(action: ControlAction, scope: ControlScope): readonly string[] {
  const whose = scopeWords(scope)
  switch (action) {
    case 'stop':
      return [
        `Every step that ${whose} proposes from now on is blocked, in observe mode too, until somebody resumes ${whose}.`,
        'Agents get your reason with each block.',
        'Steps that were allowed before may still run, and so may steps that agents run without asking.',
      ]
    case 'resume':
      return [
        `Steps of ${whose} are judged again.`,
        'Steps that were blocked do not run: agents propose them again.',
        scope.tenant === undefined
          ? 'Tenants that were stopped by themselves stay stopped.'
          : 'If the whole fleet is stopped, this tenant stays stopped too.',
      ]
    case 'observe':
      return [
        `Every step of ${whose} runs, also what the policy blocks, and no approval is requested.`,
        'Verdicts are still made and recorded. A stop holds all the same.',
        'Narrower settings, as of a single agent, stay as they are.',
      ]
    case 'enforce':
      return [
        `Agents of ${whose} wait for verdicts: blocked steps do not run, and questions wait for a human.`,
        'Narrower settings, as of a single agent, stay as they are.',
      ]
    case 'inherit':
      return [
        `The setting for ${whose} is removed.`,
        'The next wider setting counts; without one, verdicts are enforced.',
      ]
  }
}

/** A change of the audit in a few words. */
export function entryWords({ action, versions, running, ...scope }: ControlEntry): string {
  if (action === 'activate')
    return `activates ${versionsText(versions)} for ${running === true ? 'new and running' : 'new'} sessions`
  if (action === 'shadow')
    return versions === undefined ? 'ends the shadow run' : `runs ${versionsText(versions)} in shadow`
  if (action === 'inherit') return `removes the mode of ${scopeWords(scope)}`
  return action === 'stop' || action === 'resume'
    ? `${action}s ${scopeWords(scope)}`
    : `sets ${scopeWords(scope)} to ${action}`
}

const versionsText = (versions: ControlEntry['versions'] = {}): string =>
  Object.entries(versions)
    .flatMap(([kind, version]) => (version === undefined ? [] : [`${kind} ${lineOf(version, 40)}`]))
    .join(', ')

/** Sends a change, and says what became of it. */
export async function sendChange(
  request: ControlRequest,
  send: (request: ControlRequest) => Promise<ControlSent> = changeControls,
): Promise<Notice> {
  try {
    return noticeOf(await send(request))
  } catch (cause) {
    if (!(cause instanceof RequestProblem) || cause.status === 0)
      return {
        kind: 'problem',
        text: 'The console cannot be reached: whether the change counts is below, once it is.',
      }
    // It may have reached some partitions.
    const what = cause.status >= 500 ? 'It may not count everywhere' : 'Nothing was changed'
    return { kind: 'problem', text: `${what}: ${cause.message}` }
  }
}

function noticeOf({ entry, partitions, applied, silent, monitors, refused }: ControlSent): Notice {
  const what = `${lineOf(entry.by, 80)} ${entryWords(entry)}`
  const [first] = refused
  if (first !== undefined) {
    const where = `${counted(refused.length, 'partition')} of ${partitions}`
    return { kind: 'problem', text: `Refused in ${where}: ${lineOf(first.message, 300)} (${first.code})` }
  }
  if (silent === 0) return { kind: 'done', text: `Done: ${what}.` }
  const why = monitors === 0 ? 'no monitor runs' : 'their monitors have not read it yet'
  const missing = `${counted(silent, 'partition')} of ${partitions}`
  const text = `${what}: it counts in ${applied} of ${partitions} partitions. In ${missing} it will count later: ${why}.`
  return { kind: 'problem', text }
}
