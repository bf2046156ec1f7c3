import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProgramAct, awkAct, sedAct } from './programs.js'

test('finds sed scripts that run commands or write files', () => {
  const rows: [string, ProgramAct][] = [
    ['', undefined],
    ['s/a/b/', undefined],
    ['s/a/each/gI', undefined],
    ['s|/e|/w|g', undefined],
    ['s/a\\/e/b/', undefined],
    ['1,20p', undefined],
    ['/e/d', undefined],
    ['$!N;P;D', undefined],
    ['a\\ e w', undefined],
    ['s/a/b/e', 'runs'],
    ['s/a/b/;s/c/d/ge', 'runs'],
    ['1e id', 'runs'],
    ['/x/e', 'runs'],
    ['s/a/b/w out', 'writes'],
    ['/x/w out', 'writes'],
    ['s/a', undefined],
    ['p'.repeat(5000), 'runs'],
  ]
  assert.deepEqual(
    rows.map(([script]) => [script, sedAct(script)]),
    rows,
  )
})

test('finds awk programs that run commands or write files', () => {
  const rows: [string, ProgramAct][] = [
    ['{ print $1 }', undefined],
    ['$3 > 5 || $4 < 2 { n++ } END { print n }', undefined],
    ['{ if ($1 > 2) print $1 }', undefined],
    ['{ print ($1 > 2) }', undefined],
    ['{ print "a > b | c" }', undefined],
    ['/a|b/ { print }', undefined],
    ['{ print > "out" }', 'writes'],
    ['{ printf "%s", $1 >> "out" }', 'writes'],
    ['BEGIN { system("id") }', 'runs'],
    ['{ "date" | getline d }', 'runs'],
    ['{ print | "sh" }', 'runs'],
    ['BEGIN { s = "/inet/tcp/0/h/80" }', 'runs'],
    ['"'.repeat(5000), 'runs'],
  ]
  assert.deepEqual(
    rows.map(([program]) => [program, awkAct(program)]),
    rows,
  )
})
