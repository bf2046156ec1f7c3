import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'
import { hasLiveSettings, isLiveSetting } from './live.js'

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

test('tests with a database that people use ask, with others they do not', () => {
  const isLive = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).objects.some(({ reach }) => reach === 'live')
  assert.ok(isLive('DB_URL=postgres://app@pg-prod.acme.example/app pytest tests -q'))
  assert.ok(isLive('DATABASE_URL=postgres://app@db.prod.acme.example/app npm test'))
  assert.ok(!isLive('DATABASE_URL=postgres://app@localhost/app_test npm test'))
  assert.ok(!isLive('DATABASE_URL=postgres://app@pg-prod.acme.example/app psql -c "select 1"'))
})

test('a program of mails sends with `--send`', () => {
  const sends = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals['doesSend'] === 1
  assert.ok(sends('python tools/mailer.py --list all --template price --send'))
  assert.ok(sends('node scripts/notify-all.js'))
  assert.ok(!sends('python tools/mailer.py --list all --dry-run'))
})

test('settings of production that a command line takes in', () => {
  for (const text of [
    '. envs/production.env; python manage.py migrate',
    'set -a; source .env.production; set +a; rake db:migrate',
    'export $(cat .env.prod | xargs) && rake db:migrate',
    'docker run --env-file .env.production app migrate',
    'export RAILS_ENV=production; rake db:migrate',
    'export DATABASE_URL=postgres://app@db-prod.intra/app; alembic upgrade head',
  ])
    assert.ok(hasLiveSettings(text), text)
  for (const text of [
    '. envs/staging.env; python manage.py migrate',
    'cat .env.production',
    'source reproduction.env.sh && make',
    'export NODE_ENV=production && npm run build',
    'grep -r prod src',
  ])
    assert.ok(!hasLiveSettings(text), text)
})

test('an address of a database is live by its host or its name', () => {
  assert.ok(isLiveSetting('DATABASE_URL', 'postgresql://app@prod-db.lumen.internal/lumen'))
  assert.ok(isLiveSetting('PGHOST', 'db.prod.example.com'))
  assert.ok(!isLiveSetting('DATABASE_URL', 'postgresql://app@stg-db.lumen.internal/lumen'))
  assert.ok(!isLiveSetting('SENTRY_DSN_NAME', 'prod-db'))
})
