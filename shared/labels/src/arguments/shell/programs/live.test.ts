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
    'npx wrangler d1 migrations apply guestbook --remote',
    'ENV=prod ./run.sh',
    'APP_ENV=production php artisan migrate',
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

test('a target that sends, and a destination for what is fed, ask', () => {
  const sends = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals['doesSend'] === 1
  for (const command of [
    'php artisan newsletter:send',
    'make send-invoices',
    'bin/send-reminders.sh',
    'cat a.txt > /dev/tcp/example.net/80',
    'exec 3<>/dev/tcp/example.net/80',
    'cat a.txt | openssl s_client -connect example.net:443',
  ])
    assert.ok(sends(command), command)
  for (const command of [
    'make test-send',
    'npm run build:send',
    'echo hi > /dev/tcp/127.0.0.1/80',
    'openssl s_client -connect example.net:443',
    'cat src/send.ts',
  ])
    assert.ok(!sends(command), command)
})

test('a schema that is pushed by force drops data', () => {
  const deletes = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals.doesDelete === 1
  for (const command of [
    'npm run db:push -- --force',
    'pnpm db:push --accept-data-loss',
    'yarn schema:sync --force',
    'npx drizzle-kit push --force',
  ])
    assert.ok(deletes(command), command)
  for (const command of [
    'npm run db:push',
    'npm run db:push:test -- --force',
    'npx drizzle-kit generate',
    'npm run push -- --force',
  ])
    assert.ok(!deletes(command), command)
})
