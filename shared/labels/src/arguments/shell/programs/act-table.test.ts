import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTS, actSignal, type Act } from '@plimsoll/contracts'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'
import { rowsByProgram } from './command-table.js'

const actsOf = (command: string): readonly Act[] => {
  const { signals } = labelStep('bash', { command }, SHELL, undefined)
  return ACTS.filter((act) => (signals[actSignal('does', act)] ?? 0) > 0)
}

test('commands that cannot be taken back do their act, also behind what runs them', () => {
  const rows: readonly (readonly [Act, readonly string[]])[] = [
    [
      'delete',
      [
        'npx prisma migrate reset --force',
        'npx -y prisma@5 migrate reset',
        'pnpm exec prisma db push --force-reset',
        './node_modules/.bin/prisma migrate reset',
        'bundle exec rake db:drop',
        'bin/rails db:schema:load',
        'php artisan migrate:fresh --seed',
        'python manage.py flush --no-input',
        'flyway clean',
        'docker compose down -v',
        'docker compose -f deploy/a.yml -p shop down -v',
        'docker-compose down --volumes',
        'kubectl scale --replicas=0 deploy --all -n prod',
        'kubectl scale --replicas 0 deploy/api',
        'aws kms schedule-key-deletion --key-id k',
        'aws autoscaling update-auto-scaling-group --desired-capacity 0',
        'kill -9 -1',
        'pkill -9 node',
        'taskkill /F /IM node.exe',
        'chmod -R 000 data',
        'vault operator seal',
        'pgbackrest --stanza=main expire',
        'ssh host "npx prisma migrate reset"',
      ],
    ],
    [
      'publish',
      [
        'terraform apply -auto-approve',
        'terraform apply -no-color tf.plan',
        'tofu apply plan.out',
        'pulumi up --yes',
      ],
    ],
    [
      'grant',
      [
        'aws s3api put-public-access-block --bucket b',
        'vault policy write admin p.hcl',
        'pip config set global.index-url https://example.net/simple',
        'chmod u+s /bin/bash',
        'python manage.py createsuperuser --noinput',
        'systemctl --user enable --now /tmp/x.service',
        'git config --global core.hooksPath /tmp/h',
        "git config --global alias.x '!rm -rf a'",
        'git remote set-url --push origin https://example.net/x.git',
        'git commit --no-verify -m a',
        'git -c core.hooksPath=/dev/null commit -m a',
        'HUSKY=0 git push',
      ],
    ],
    [
      'overwrite',
      [
        'gh api -X PATCH repos/o/r -f private=false',
        'uv run alembic downgrade base',
        'gh pr merge 5 --squash',
        'sudo tar -xzf a.tgz -C /',
        'tar xf a.tgz --directory=/',
        'unzip -o a.zip -d /etc',
      ],
    ],
  ]
  for (const [act, commands] of rows)
    for (const command of commands) assert.ok(actsOf(command).includes(act), command)
})

test('their neighbours do none', () => {
  for (const command of [
    'npx prisma migrate dev --name a',
    'npx prisma db push',
    'bundle exec rake db:migrate',
    'bin/rails db:seed',
    'tar -C / -czf backup.tgz etc',
    'tar tzf a.tgz -C /',
    'sudo tar -C /usr/local -xzf go.tgz',
    'unzip -o a.zip -d build',
    'php artisan migrate',
    'python manage.py migrate',
    'alembic upgrade head',
    'docker compose restart api',
    'docker compose exec db psql -U app -c "SELECT count(*) FROM jobs"',
    'kubectl scale --replicas=3 deploy/api',
    'terraform plan',
    'aws kms describe-key --key-id k',
    'kill -HUP 4242',
    'python server.py & sleep 1; pkill -f "python server.py"',
    'chmod -R 755 scripts',
    'gh api repos/o/r',
    'gh pr view 5',
    'git config user.name ann',
    'git config core.pager cat',
    'git config --global alias.st status',
    'git commit -m "no new text"',
    'chmod +x run.sh',
    'npm config get registry',
    'echo npx prisma migrate reset',
  ])
    assert.deepEqual(actsOf(command), [], command)
})

test('each line of the table is found by its own words', () => {
  for (const [name, rows] of rowsByProgram<{ act: Act; when: readonly string[] }>('acts'))
    for (const { act, when } of rows)
      for (const line of when) {
        const command = `${name} ${line.replaceAll('*', 'x').replaceAll('?', 'x')}`
        assert.ok(actsOf(command).includes(act), command)
      }
})

test('a change on another host counts, a look at it does not', () => {
  const isLive = (command: string): boolean =>
    labelStep('bash', { command }, SHELL, undefined).signals['doesPublish'] === 1
  for (const command of [
    "ssh deploy@prod-1 'cd /srv/app && docker compose up -d web'",
    'ssh -i key -p 22 prod "sudo systemctl restart nginx"',
    'ssh prod ./deploy.sh',
  ])
    assert.ok(isLive(command), command)
  for (const command of [
    'ssh prod uptime',
    "ssh prod 'docker compose ps && docker compose logs web'",
    "ssh prod 'sudo journalctl -u nginx | tail -50'",
    'ssh -V',
    'docker compose up -d',
  ])
    assert.ok(!isLive(command), command)
})

test('the database of tests is made again by each run', () => {
  for (const command of ['RAILS_ENV=test bin/rails db:drop db:create', 'MIX_ENV=test mix ecto.reset'])
    assert.deepEqual(actsOf(command), [], command)
  for (const command of ['RAILS_ENV=production bin/rails db:drop', 'RAILS_ENV=test rm -rf data.csv'])
    assert.ok(actsOf(command).includes('delete'), command)
})

test('a command that gives another agent its orders asks, unless the task names that agent', () => {
  for (const command of [
    'claude -p "tidy up" --allowedTools Bash',
    "codex exec 'tidy up'",
    'gemini --prompt "tidy up"',
    'npx -y @anthropic-ai/claude-code -p "tidy up"',
    'echo tidy up | claude -p',
    'opencode run "tidy up"',
    'aider --message "tidy up" a.py',
  ])
    assert.deepEqual(actsOf(command), ['grant'], command)
  for (const command of ['claude --version', 'claude mcp list', 'codex login', 'opencode models'])
    assert.deepEqual(actsOf(command), [], command)
})

test('where packages come from is named by its address alone', () => {
  const at = (command: string) => labelStep('bash', { command }, SHELL, undefined).objects
  for (const command of [
    'pnpm config set registry https://npm.example.org/team/',
    'uv config set index-url https://npm.example.org/team/',
    'gem sources --add https://npm.example.org/team/',
    'bundle config set mirror.https://rubygems.org https://npm.example.org/team/',
    'go env -w GOPROXY=https://npm.example.org/team/',
    'yarn config set npmRegistryServer https://npm.example.org/team/',
  ]) {
    const [object] = at(command)
    assert.equal(object?.byName, true, command)
    assert.ok(object.names.includes('https://npm.example.org/team'), command)
    assert.ok(object.names.includes('npm.example.org'), command)
    assert.ok(!object.names.some((name) => /^(?:npm|config|registry|team)$/.test(name)), command)
  }
})

test('a task asks for what goes past checks, or by a saved plan, by a word for it alone', () => {
  for (const [command, word] of [
    ['gh pr merge 219 --squash --admin', 'override'],
    ['terraform apply tf.plan', 'apply'],
  ] as const) {
    const object = labelStep('bash', { command }, SHELL, undefined).objects.find(({ names }) =>
      names.includes(word),
    )
    assert.equal(object?.byName, true, command)
    assert.ok(!object.names.some((name) => /219|plan/.test(name)), command)
  }
})

test('a database that is imported over, and scripts that are called after what they do', () => {
  for (const [act, ...commands] of [
    ['overwrite', 'wp db import old.sql', 'zcat old.sql.gz | wp db import -'],
    ['delete', 'node scripts/purge_users.js', 'python delete_old_users.py', './scripts/wipe_db.sh'],
    ['pay', 'node scripts/charge-customers.js'],
    ['send', 'npx tsx scripts/resend.ts --since 2025-05-01', 'python scripts/send_newsletter.py'],
  ] as const)
    for (const command of commands) assert.ok(actsOf(command).includes(act), command)
  for (const command of [
    'node scripts/purge_users.js --dry-run',
    'python drop_duplicates.py',
    'python clean_data.py',
  ])
    assert.deepEqual(actsOf(command), [], command)
})
