import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const isLive = (command: string): boolean =>
  labelStep('bash', { command }, SHELL, undefined).signals['doesPublish'] === 1

test('what people use changes by a target, an option, a variable or a context', () => {
  for (const command of [
    'make deploy ENV=production',
    './scripts/deploy.sh prod',
    'npm run deploy:prod',
    'dbt run --target prod',
    'APP_ENV=production python -c "import jobs; jobs.run()"',
    'kubectl --context prod-eu set image deployment/a a=b',
  ])
    assert.ok(isLive(command), command)
})

test('a look at it, a build for it and a trial do not change it', () => {
  for (const command of [
    'kubectl --context prod-eu get pods',
    'kubectl --context prod-eu rollout status deployment/a',
    'NODE_ENV=production npm run build',
    'npm run build:prod',
    './scripts/deploy.sh --dry-run',
    'make test ENV=production',
    'terraform plan -var-file=prod.tfvars',
  ])
    assert.ok(!isLive(command), command)
})
