import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'
import { FORBIDDEN_TAGS } from './forbidden.js'

const POWERSHELL: CatalogueEntry = {
  tools: ['PowerShell'],
  labels: { capability: 'execute', reversibility: 'partial' },
  arguments: [{ in: 'command', as: 'powershell' }],
}
const stepOf = (command: string) => labelStep('PowerShell', { command }, POWERSHELL, undefined)
const doesOf = ({ signals }: ReturnType<typeof stepOf>): string[] =>
  Object.keys(signals)
    .filter((name) => name.startsWith('does'))
    .toSorted()
const inShell = (command: string) => labelStep('bash', { command }, SHELL, undefined)

test('a command of PowerShell does what the command of the shell does', () => {
  for (const [command, alike] of [
    ["Set-Content .claude\\settings.json '{}'", 'echo > .claude/settings.json'],
    ["'{}' | Out-File -FilePath .claude/settings.json", 'echo > .claude/settings.json'],
    ["[IO.File]::WriteAllText('.mcp.json', '{}')", 'echo > .mcp.json'],
    ['Copy-Item C:\\tmp\\s.json .claude\\settings.json', 'cp s.json .claude/settings.json'],
    ["'' > C:\\data\\customers.db", '> /data/customers.db'],
    ["Set-Content C:\\data\\customers.csv ''", '> /data/customers.csv'],
    ['Clear-Content data\\customers.csv', '> data/customers.csv'],
    ["psql -c 'DROP TABLE users'", "psql -c 'DROP TABLE users'"],
    ["& 'C:\\Program Files\\bin\\psql.exe' -c 'DROP TABLE users'", "psql -c 'DROP TABLE users'"],
    ["Invoke-Sqlcmd -ServerInstance db -Query 'DROP TABLE users'", "psql -c 'DROP TABLE users'"],
    ["sqlcmd -Q 'DELETE FROM users'", "psql -c 'DELETE FROM users'"],
    ['taskkill /F /IM postgres.exe', 'pkill postgres'],
    ['Get-Process | Stop-Process -Force', 'kill -9 -1'],
    ["Start-Process terraform -ArgumentList 'destroy','-auto-approve'", 'terraform destroy -auto-approve'],
    ['if ($x) { terraform destroy -auto-approve }', 'terraform destroy -auto-approve'],
    ['redis-cli flushall', 'redis-cli flushall'],
    [
      'Invoke-RestMethod https://a.example/users/3 -Method Delete',
      'curl -X DELETE https://a.example/users/3',
    ],
    ["cmd /c 'type nul > data\\customers.db'", '> data/customers.db'],
  ] as const) {
    const done = doesOf(stepOf(command))
    assert.ok(done.length > 0, command)
    assert.deepEqual(done, doesOf(inShell(alike)), command)
  }
})

test('deletions by members and blocks, files that a share takes, and settings of Plimsoll', () => {
  for (const command of [
    "[IO.Directory]::Delete('C:\\data', $true)",
    'Get-ChildItem C:\\data -Recurse | ForEach-Object { $_.Delete() }',
    'Get-ChildItem C:\\data -Directory | ForEach-Object { [IO.Directory]::Delete($_.FullName, $true) }',
    '[IO.File]::Delete($path)',
    'gci C:\\data | % { Remove-Item $_ }',
    'dir C:\\data | del',
  ])
    assert.deepEqual(doesOf(stepOf(command)), ['doesDelete'], command)
  assert.deepEqual(stepOf('gci C:\\data | % { $_.Delete() }').objects[0]?.thing, 'C:/data')
  assert.deepEqual(doesOf(stepOf('Copy-Item a.csv \\\\other\\share\\')), ['doesSend'])
  for (const command of [
    "$env:PLIMSOLL_MODE='observe'; claude",
    '$env:PLIMSOLL_MODE = "observe"',
    "[Environment]::SetEnvironmentVariable('PLIMSOLL_MODE', 'observe')",
    'cmd /c "set PLIMSOLL_MODE=observe && claude"',
  ])
    assert.ok(stepOf(command).labels.tags?.includes(FORBIDDEN_TAGS.plimsoll), command)
})

test('what a build made, what only looks and what is only said does nothing of the kind', () => {
  for (const command of [
    'Remove-Item -Recurse -Force node_modules',
    'Remove-Item -Path dist,build -Recurse -Force -ErrorAction SilentlyContinue',
    'if (Test-Path dist) { rm -r -fo dist }',
    'Get-ChildItem -Recurse -Include bin,obj | Remove-Item -Recurse -Force',
    "Set-Content src\\a.ts 'export const a = 1'",
    "(Get-Content a.json) -replace 'a','b' | Set-Content a.json",
    'Get-ChildItem src | ForEach-Object { $_.Name }',
    "Invoke-Sqlcmd 'SELECT count(*) FROM users'",
    "git commit -m 'fix: drop table users; terraform destroy'",
    "Select-String -Path src\\*.ts -Pattern 'DROP TABLE'",
    '# Remove-Item -Recurse C:\\data\nGet-ChildItem',
    "$env:NODE_ENV='test'; npm test",
    'Stop-Process -Id 4312',
    "Invoke-RestMethod -Method Put http://localhost:3000/users -Body '{}'",
    'terraform plan',
    'sqlcmd -Q "RESTORE HEADERONLY FROM DISK=\'D:\\\\bak\\\\a.bak\'"',
    '.\\build.ps1 -Configuration Release',
  ])
    assert.deepEqual(doesOf(stepOf(command)), [], command)
})
