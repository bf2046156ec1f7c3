import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsOf } from './powershell-words.js'

const wordsOf = (text: string, dialect: 'powershell' | 'cmd' = 'powershell') =>
  statementsOf(text, dialect)?.map(({ words }) => words)

test('a text is split into commands and words as PowerShell and cmd split it', () => {
  assert.deepEqual(wordsOf("Get-Content a.txt | Out-File 'b c.txt'"), [
    ['Get-Content', 'a.txt'],
    ['Out-File', 'b c.txt'],
  ])
  assert.deepEqual(wordsOf(`git commit -m 'it''s; done' # rm -rf x\nls`), [
    ['git', 'commit', '-m', "it's; done"],
    ['ls'],
  ])
  assert.deepEqual(wordsOf('if (Test-Path dist) { Remove-Item dist }'), [
    ['if'],
    ['Test-Path', 'dist'],
    ['Remove-Item', 'dist'],
  ])
  assert.deepEqual(wordsOf('& "C:\\a b\\psql.exe" -c `\n"x `"y`""'), [['C:\\a b\\psql.exe', '-c', 'x `"y`"']])
  assert.deepEqual(wordsOf("[IO.File]::Delete('a;b')"), [["[IO.File]::Delete('a;b')"]])
  assert.deepEqual(wordsOf("del 'a' & rd /s b ^& c", 'cmd'), [
    ['del', "'a'"],
    ['rd', '/s', 'b', '&', 'c'],
  ])
})

test('what feeds a command, where its output goes and what it sets is known', () => {
  const [first, second] = statementsOf('gci x | % { $_.Delete() } > a.txt', 'powershell') ?? []
  assert.deepEqual([first?.isFed, second?.isFed], [false, true])
  assert.deepEqual(statementsOf("'' > C:\\a.db 2> $null", 'powershell')?.[0]?.targets, [
    { path: 'C:\\a.db', isWhole: true },
  ])
  assert.deepEqual(statementsOf('echo a >> b.txt', 'cmd')?.[0]?.targets, [{ path: 'b.txt', isWhole: false }])
  assert.deepEqual(statementsOf("$env:A = 'b'", 'powershell')?.[0], {
    words: ['b'],
    isFed: false,
    targets: [],
    sets: '$env:A',
  })
})

test('texts without an end of a quotation or with too many commands are read or refused at once', () => {
  assert.deepEqual(wordsOf("echo 'a"), [['echo', 'a']])
  assert.equal(statementsOf('a;'.repeat(1_000), 'powershell'), undefined)
  assert.equal(statementsOf('a '.repeat(5_000), 'powershell'), undefined)
  assert.ok(statementsOf('('.repeat(16_000), 'powershell'))
  assert.ok(statementsOf('a.b('.repeat(4_000), 'powershell'))
})
