import type { EffectAct, ObjectKind, ReasonEffect } from '@plimsoll/contracts'

type Shown = Pick<ReasonEffect, 'act' | 'object' | 'reach' | 'why'>

const VERBS: Readonly<Record<EffectAct, string>> = {
  read: 'reads',
  create: 'makes',
  change: 'overwrites',
  delete: 'deletes',
  send: 'sends',
  request: 'changes',
  pay: 'pays',
  grant: 'opens',
  publish: 'publishes',
  deploy: 'changes',
  restore: 'restores over',
  stop: 'stops',
  run: 'runs',
  persist: 'sets up',
  control: 'loosens',
}

const NOUNS: Readonly<Record<ObjectKind, string>> = {
  path: 'files',
  host: 'a host',
  table: 'a table',
  process: 'programs',
  container: 'a container',
  volume: 'a volume',
  resource: 'a resource',
  branch: 'a branch',
  account: 'an account',
  person: 'others',
  record: 'records',
  setting: 'a setting',
}

/** What is opened where no object is known: rights, or a check that is skipped. */
const LOOSENED = 'loosens access or checks'

const BY_REASON: Readonly<Record<ReasonEffect['why'], string>> = {
  not_asked: 'which the task does not ask for',
  not_named: 'which the task does not name',
}

/**
 * An effect in one line of at most 14 words, the name one. The name is in the hands of who has the arguments; without it the kind is said.
 *
 * @example effectSentence({ act: 'delete', object: 'path', reach: 'shared', why: 'not_named' }, '~/Documents')
 * // deletes `~/Documents`, outside this project, which the task does not name
 */
export function effectSentence({ act, object, reach, why }: Shown, name?: string): string {
  const what = name === undefined ? (object === undefined ? 'something' : NOUNS[object]) : `\`${name}\``
  const verb = act === 'send' && object === 'person' ? 'writes to' : VERBS[act]
  const done = act === 'grant' && object === undefined && name === undefined ? LOOSENED : `${verb} ${what}`
  const place = placeOf(act, object, reach)
  return place === '' ? `${done}, ${BY_REASON[why]}` : `${done}, ${place}, ${BY_REASON[why]}`
}

function placeOf(act: EffectAct, object: Shown['object'], reach: Shown['reach']): string {
  if (reach === 'live') return 'which is live'
  if (reach === 'control') return 'an agent guard'
  // What sets up or loosens is not judged by where its file lies.
  const isOfPlace = object === 'path' && act !== 'persist' && act !== 'control'
  return reach === 'shared' && isOfPlace ? 'outside this project' : ''
}
