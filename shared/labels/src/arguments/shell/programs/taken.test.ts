import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const deletes = (command: string): boolean =>
  labelStep('bash', { command }, SHELL, undefined).signals.doesDelete === 1

test('a deletion is a verb, and no name of what is looked at', () => {
  for (const command of [
    'kubectl get deploy prune-worker',
    'kubectl -n purge get pods',
    'aws --profile remove-bot sts get-caller-identity',
    'docker logs drop-queue',
    'docker inspect drop-queue',
    'az group list --subscription wipe-lab',
    'gcloud run services describe terminate-svc --region europe-west1',
    'flyctl status -a nuke-app',
    'heroku logs -a purge-mail',
  ])
    assert.ok(!deletes(command), command)
  for (const command of [
    'kubectl -n shop delete deploy worker',
    'kubectl delete -n shop deploy worker',
    'aws logs delete-log-group --log-group-name a',
    'terraform workspace delete lab',
    'docker --debug rm -v worker',
    'ipset list destroy',
    'gcloud --project lab run services delete svc',
    'flyctl apps destroy app-a',
    'heroku apps:destroy app-a',
  ])
    assert.ok(deletes(command), command)
})

test('layers, images without a name and unused packages come again; what has no name is said by its command', () => {
  const read = (command: string) => labelStep('bash', { command }, SHELL, undefined)
  for (const command of [
    'docker image prune -f',
    'docker builder prune -af',
    'pnpm store prune',
    'flutter pub remove x',
  ])
    assert.equal(read(command).signals['doesDelete'], undefined, command)
  assert.equal(read('docker image prune -af').signals['doesDelete'], 1)
  assert.equal(read('docker volume prune -f').objects[0]?.thing, 'what docker volume prune finds')
})

test('what is taken away may be named by its kind in other languages', () => {
  const { objects } = labelStep('bash', { command: 'docker container prune -f' }, SHELL, undefined)
  const names = new Set(objects.flatMap((each) => each.names))
  for (const name of ['container', 'conteneurs', 'contenedores']) assert.ok(names.has(name), name)
})
