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
