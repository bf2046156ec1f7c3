import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEffects } from '../effects.js'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'
import { ACTING, type LimitedAct, nameOfAct, nameOfObject, noteCommand, noteTool } from './names-of-acts.js'

const changesOf = (command: string): readonly (readonly string[])[] =>
  labelStep('bash', { command }, SHELL, undefined).changes

test('a step says which acts it does that a task may forbid, and to what', () => {
  const cases: readonly (readonly [command: string, acts: readonly LimitedAct[], object?: string])[] = [
    ['git push origin main', ['push'], 'main'],
    ['git commit -m "fix main"', ['commit']],
    ['npm publish', ['publish']],
    ['kubectl --context prod apply -f k8s/', ['deploy'], 'production'],
    ["psql -h prod -c 'DROP TABLE users'", ['delete'], 'production'],
    ["psql -c 'DROP TABLE users'", ['delete'], 'user'],
    ['ssh prod sudo systemctl restart nginx', ['restart'], 'production'],
    ['kill -9 1234', ['stop']],
    ['gh pr create --title x', ['request']],
    ['gh pr merge 5', ['merge']],
    ['pip install requests', ['install']],
    ['./deploy.sh', ['publish', 'deploy']],
  ]
  for (const [command, acts, object] of cases) {
    const names = changesOf(command).find((each) => each.includes(ACTING)) ?? []
    for (const act of acts) assert.ok(names.includes(nameOfAct(act)), `${command}: ${act}`)
    if (object !== undefined) assert.ok(names.includes(nameOfObject(object)), `${command}: ${object}`)
  }
})

test('what only looks, tries or takes from others does nothing of the kind', () => {
  for (const command of [
    'git status',
    'git merge main',
    'git push --dry-run',
    'kubectl rollout status deploy/web',
    'gh pr list',
    'npm test',
    'cat kill.txt',
    'terraform plan',
  ])
    assert.deepEqual(
      changesOf(command).filter((names) => names.includes(ACTING)),
      [],
      command,
    )
})

test('a tool without a command line acts by its name', () => {
  const actsOf = (tool: string, args: Readonly<Record<string, unknown>> = {}): readonly string[] => {
    const effects = createEffects()
    noteTool(tool, args, effects)
    return [String(effects.acts !== 0), ...(effects.actedOn ?? [])]
  }
  assert.deepEqual(actsOf('send_email', { to: 'bob@x.example' }).slice(0, 2), ['true', nameOfObject('bob')])
  assert.deepEqual(actsOf('mcp__github__push_files', { branch: 'main' }), ['true', nameOfObject('main')])
  for (const tool of ['search_emails', 'create_draft_email', 'read_file', 'list_deployments'])
    assert.deepEqual(actsOf(tool), ['false'], tool)
})

test('a command with endless words has few names', () => {
  const effects = createEffects()
  noteCommand({ name: 'git', args: ['push', ...Array.from({ length: 5_000 }, (_, n) => `b${n}x`)] }, effects)
  assert.ok((effects.actedOn?.length ?? 0) <= 16)
})

test('who stops something deletes nothing', () => {
  const changed = new Set(changesOf('aws ec2 stop-instances --instance-ids i-0bb71').flat())
  assert.ok(changed.has(nameOfAct('stop')))
  assert.ok(!changed.has(nameOfAct('delete')))
  assert.ok(
    changesOf('aws ec2 terminate-instances --instance-ids i-0bb71').flat().includes(nameOfAct('delete')),
  )
})
