import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import { advance, type SessionState } from '@plimsoll/engine'
import { defaultDocuments, parseCases, type Case } from '@plimsoll/policy'
import { projectRoot } from '../support/paths.js'

const folder = path.join(projectRoot, 'test/cases')
const base = await defaultDocuments()
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

/** The decisions on the events of a case, control changes left out: what they would change is not looked at. */
function decisionsOf({ pinnedRules, events: happenings }: Case): Decision[] {
  const sessions = new Map<string, SessionState | undefined>()
  return happenings.flatMap((happening) => {
    if ('control' in happening) return []
    const { sessionId } = happening.event
    const { state, decision } = advance(sessions.get(sessionId), happening, pinnedRules)
    sessions.set(sessionId, state)
    return decision ? [decision] : []
  })
}

test('every blocking or asking decision of the cases names an alternative, and no allowing one does', () => {
  const cases = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => parseCases(textOf(file), { name: file, base, textOf }))
  const decisions = cases.flatMap(decisionsOf)
  const isStrict = ({ verdict }: Decision) => verdict === 'confirm' || verdict === 'block'
  assert.ok(decisions.filter(isStrict).length > 50)
  assert.deepEqual(
    decisions.filter((decision) => isStrict(decision) && !decision.alternative),
    [],
  )
  assert.deepEqual(
    decisions.filter(({ verdict, alternative }) => verdict === 'allow' && alternative !== undefined),
    [],
  )
})
