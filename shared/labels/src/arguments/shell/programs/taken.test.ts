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
