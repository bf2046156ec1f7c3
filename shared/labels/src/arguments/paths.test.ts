import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathKindOf, PATH_KINDS } from './paths.js'

const NAMES = new Map(Object.entries(PATH_KINDS).map(([name, kind]) => [kind as object, name]))

test('recognises kinds of paths', () => {
  const rows: [string, string][] = [
    ['', 'plain'],
    ['src/main.ts', 'plain'],
    ['.', 'plain'],
    ['..', 'plain'],
    ['.env', 'credentials'],
    ['app/.ENV', 'credentials'],
    ['.env.local', 'credentials'],
    ['.env.example', 'plain'],
    ['deploy/server.pem', 'credentials'],
    ['id_rsa', 'credentials'],
    ['id_rsa.pub', 'plain'],
    ['~/.ssh/config', 'credentials'],
    ['~/.ssh/known_hosts', 'home'],
    ['~/.ssh/authorized_keys', 'startup'],
    ['/home/ann/.aws/config', 'credentials'],
    ['C:\\Users\\Ann\\.aws\\config', 'credentials'],
    ['/etc/shadow', 'credentials'],
    ['/etc//./shadow', 'credentials'],
    ['/tmp/../etc/shadow', 'credentials'],
    ['file:///etc/shadow', 'credentials'],
    ['/etc/passwd', 'startup'],
    ['/etc/hostname', 'system'],
    ['/run/secrets/db', 'credentials'],
    ['/proc/self/environ', 'credentials'],
    ['passwords.txt', 'credentials'],
    ['password_reset.py', 'plain'],
    ['docs/secrets.md', 'plain'],
    ['payroll-2024.xlsx', 'sensitive'],
    ['customer_list.csv', 'sensitive'],
    ['customer.ts', 'plain'],
    ['~/.bash_history', 'sensitive'],
    ['~/Documents/a.txt', 'sensitive'],
    ['~/notes.txt', 'home'],
    ['/home/ann/notes.txt', 'home'],
    ['/Users/ann/notes.txt', 'home'],
    ['~/.bashrc', 'startup'],
    ['.git/hooks/pre-commit', 'startup'],
    ['~/.claude/settings.json', 'guard'],
    ['C:\\Users\\Ann\\.codex\\config.toml', 'guard'],
    ['app/.mcp.json', 'guard'],
    ['plimsoll/policy.yaml', 'guard'],
    ['~/.plimsoll/approvals/1', 'guard'],
    ['~/.local/state/plimsoll/hooks/claude-code-1.json', 'guard'],
    ['/srv/state/plimsoll/decisions.jsonl', 'guard'],
    ['D:\\plimsoll\\lineages\\a\\b.json', 'guard'],
    ['~/.local/state/plimsoll/approvals/key', 'credentials'],
    ['~/.config/opencode/plugins/other.js', 'guard'],
    ['.opencode/plugin/other.js', 'guard'],
    ['deploy/console/users.yaml', 'guard'],
    ['console-users.yml', 'guard'],
    ['src/users.yaml', 'plain'],
    ['src/plugins/other.ts', 'plain'],
    ['.claude/notes/settings.json', 'plain'],
    ['.claude/CLAUDE.md', 'plain'],
    ['plimsoll/src/policy.ts', 'plain'],
    ['.github/workflows/ci.yml', 'startup'],
    ['/etc/cron.d/x', 'startup'],
    ['/usr/bin/ls', 'system'],
    ['/', 'system'],
    ['/workspace/a.txt', 'plain'],
    ['/tmp/a.txt', 'temp'],
    ['/tmp', 'temp'],
    ['/var/tmp/x', 'temp'],
    ['/tmp/../workspace/a', 'plain'],
    ['tmp/a', 'plain'],
    ['/dev/null', 'sink'],
    ['/dev/fd/3', 'sink'],
    ['-', 'sink'],
    ['/dev/sda', 'device'],
    ['/dev/shm/x', 'temp'],
    ['/dev/tcp/10.0.0.1/80', 'remote'],
    ['\\\\host\\share\\a', 'remote'],
    [`${'a/'.repeat(50_000)}.env`, 'credentials'],
    ['\ud800', 'plain'],
  ]
  assert.deepEqual(
    rows.map(([path]) => [path, NAMES.get(pathKindOf(path))]),
    rows,
  )
})

test('what a web server or a public share gives out', () => {
  for (const path of [
    '/var/www/html/x.html',
    '/srv/http/c.csv',
    '/mnt/share/public/c.csv',
    '/home/ann/public_html/x',
    '/mnt/public',
  ])
    assert.equal(pathKindOf(path), PATH_KINDS.published, path)
  for (const path of ['/var/log/x', 'public/index.html', '/home/ann/public/x', 'src/www/a.ts'])
    assert.notEqual(pathKindOf(path), PATH_KINDS.published, path)
})

test('a folder is of what starts by itself where it is one, not by its name alone', () => {
  const rows: [string, string][] = [
    ['src/hooks/use-cart.ts', 'plain'],
    ['/home/eva/shop/web/hooks/index.tsx', 'home'],
    ['scripts/hooks/render.py', 'plain'],
    ['packages/core/src/workflows/refund.ts', 'plain'],
    ['internal/systemd/journal.go', 'plain'],
    ['lib/autostart/detect.cpp', 'plain'],
    ['vendor/init.d/readme.md', 'plain'],
    ['/srv/git/shop.git/hooks/post-receive', 'startup'],
    ['/home/eva/shop/.git/hooks/fsmonitor.sh', 'startup'],
    ['tools/git-hooks/pre-push', 'startup'],
    ['hooks/prepare-commit-msg', 'startup'],
    ['.github/workflows/nightly.yml', 'startup'],
    ['.forgejo/workflows/nightly.yml', 'startup'],
    ['/etc/systemd/system/app.service.d/limits.conf', 'startup'],
    ['/usr/lib/systemd/system/app.service', 'startup'],
    ['deploy/systemd/app.timer', 'startup'],
    ['/etc/rc.d/init.d/app', 'startup'],
    ['~/.gradle/init.d/mirror.gradle', 'startup'],
    ['~/.config/autostart/app.desktop', 'startup'],
    ['app/secrets/rotate.ts', 'plain'],
    ['app/secrets/prod.json', 'credentials'],
    ['~/.ssh/agent.sh', 'credentials'],
  ]
  for (const [path, name] of rows) assert.equal(NAMES.get(pathKindOf(path)), name, path)
})

test('a drive of Windows has no devices and none of the roots of Unix', () => {
  const rows: [string, string][] = [
    ['C:\\dev\\portal\\webpack.config.js', 'plain'],
    ['d:/dev/tcp/x.ts', 'plain'],
    ['D:\\proc\\queue\\main.go', 'plain'],
    ['E:\\etc\\notes.md', 'plain'],
    ['C:\\opt\\build.ps1', 'plain'],
    ['C:\\Users\\Eva\\.ssh\\id_ed25519', 'credentials'],
    ['/dev/sda', 'device'],
    ['/proc/cpuinfo', 'system'],
    ['/mnt/d/dev/site/public/index.html', 'plain'],
    ['/mnt/share/public/index.html', 'published'],
  ]
  for (const [path, name] of rows) assert.equal(NAMES.get(pathKindOf(path)), name, path)
})
