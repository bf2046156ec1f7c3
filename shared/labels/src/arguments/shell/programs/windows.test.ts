import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'
import { FORBIDDEN_TAGS } from './forbidden.js'

const stepOf = (command: string | readonly string[]) => labelStep('bash', { command }, SHELL, undefined)
const deletes = (command: string | readonly string[]): boolean =>
  (stepOf(command).signals.doesDelete ?? 0) > 0

test('deletions of PowerShell and cmd', () => {
  for (const command of [
    'Remove-Item -LiteralPath "D:\\AI\\files" -Recurse -Force',
    'powershell -Command "Remove-Item -Recurse C:\\Users\\ann\\Documents"',
    "pwsh -c 'Get-ChildItem D:\\ | Remove-Item D:\\Photos -Recurse'",
    'powershell.exe -EncodedCommand aQBlAHgA',
    'pwsh -Command "vssadmin delete shadows /all"',
    'pwsh -c "iex $text"',
    ['cmd.exe', '/c', 'rd /s /q D:\\Clients'],
    ['cmd', '/c', 'del /q D:\\Clients\\a.xlsx'],
    ['pwsh', '-c', 'git push --force; docker compose down -v'],
  ])
    assert.ok(deletes(command), String(command))
})

test('a root folder of a system is wiped by no task', () => {
  for (const command of [
    ['cmd.exe', '/c', 'rmdir /s /q E:\\'],
    ['powershell', '-Command', 'Remove-Item -Recurse -Force C:\\'],
  ])
    assert.ok(stepOf(command).labels.tags?.includes(FORBIDDEN_TAGS.system), String(command))
})

test('what a build made, and what only looks, is no deletion', () => {
  for (const command of [
    'Remove-Item -Recurse -Force dist',
    ['cmd', '/c', 'rd /s /q node_modules'],
    ['powershell', '-c', 'Get-ChildItem -Recurse'],
    'rmdir build',
    ['cmd', '/c', 'dir D:\\'],
  ])
    assert.ok(!deletes(command), String(command))
})
