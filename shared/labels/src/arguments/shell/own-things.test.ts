import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../label-step.js'
import { SHELL } from '../samples.js'
import { thingNames } from './own-things.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)

test('what a program makes under a name is own to what takes it away', () => {
  for (const [makes, takes, program, name] of [
    ['docker run -d --name db postgres', 'docker rm -f db', 'docker', 'db'],
    ['docker volume create scratch', 'docker volume rm scratch', 'docker', 'volume:scratch'],
    ['createdb app_t', 'dropdb app_t', 'database', 'app_t'],
    ['git switch -c fix/a', 'git branch -D fix/a', 'git', 'branch:fix/a'],
    ['git checkout -b fix/a', 'git push --force origin fix/a', 'git', 'branch:fix/a'],
    ['git stash', 'git stash drop', 'git', 'stash'],
    ['kind create cluster --name t', 'kind delete cluster --name t', 'kind', 't'],
    ['createdb -h localhost app_t', 'dropdb -h localhost app_t', 'database', 'app_t'],
    ['kind create cluster --name t', 'kubectl --context kind-t delete namespace a', 'kind', 't'],
    ['k3d cluster create t', 'helm uninstall --kube-context k3d-t op', 'k3d', 't'],
    [
      'aws cloudformation create-change-set --stack-name edge --change-set-name look',
      'aws cloudformation delete-change-set --stack-name edge --change-set-name look',
      'aws',
      'look',
    ],
  ] as const) {
    const [own = ''] = thingNames(program, name)
    assert.ok(stepOf(makes).made.includes(own), makes)
    assert.ok(
      stepOf(takes).objects.some((each) => each.own.includes(own)),
      takes,
    )
  }
})

test('a volume is not own by the name of a container', () => {
  const [own = ''] = stepOf('docker run -d --name pg postgres').made
  for (const { own: names } of stepOf('docker volume rm pg').objects) assert.ok(!names.includes(own))
})

test('a thing that may have been there before is not own', () => {
  for (const command of [
    'docker run -d --name db postgres || true',
    'docker run -d --name db postgres || docker start db',
    'docker volume create pg || true',
    'git checkout -b main || git checkout main',
    'createdb app || true',
  ])
    assert.deepEqual(stepOf(command).made, [], command)
})

test('of several things at once each is own by its own name, and a stack is not made with its change set', () => {
  for (const command of ['docker rm mine theirs', 'docker rm -f theirs mine', 'docker volume rm pgdata mine'])
    for (const { own, thing = '' } of stepOf(command).objects)
      assert.ok(
        own.every((name) => name.endsWith(`:${thing}`)),
        `${command}: ${own.join(', ')}`,
      )
  assert.ok(
    !stepOf('aws cloudformation create-change-set --stack-name edge --change-set-name look').made.includes(
      'ownthing:aws:edge',
    ),
  )
})

test('an own cluster makes nothing own but what its clients do in it', () => {
  const [own = ''] = thingNames('kind', 't')
  for (const command of [
    'terraform destroy -auto-approve --context kind-t',
    'bash -c "kubectl --context kind-t get pods; aws s3 rb s3://data --force"',
    'kubectl --context kind-t --context prod delete namespace a',
    'kubectl --context prod delete namespace kind-t',
  ])
    assert.ok(
      stepOf(command).objects.every((each) => !each.own.includes(own)),
      command,
    )
})
