import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  type CatalogueEntry,
  type ToolLabels,
} from '@plimsoll/contracts'
import { labelStep } from './label-step.js'
import { CODE, MAIL, OURS, SHELL, SQL } from './samples.js'

/** A seeded generator of integers below `n`. */
function createRandom(seed: number): (n: number) => number {
  let state = seed >>> 0 || 1
  return (n) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % n
  }
}

/** Whether no label of `a` is milder than that of `b`. */
function covers(a: ToolLabels, b: ToolLabels): boolean {
  const rank = (list: readonly string[], word: string | undefined): number =>
    word === undefined ? -1 : list.indexOf(word)
  return (
    rank(CAPABILITIES, a.capability) >= rank(CAPABILITIES, b.capability) &&
    rank(CONFIDENTIALITIES, a.confidentiality) >= rank(CONFIDENTIALITIES, b.confidentiality) &&
    rank(REVERSIBILITIES, a.reversibility) >= rank(REVERSIBILITIES, b.reversibility) &&
    (a.trust === 'untrusted' || b.trust !== 'untrusted')
  )
}

const COMMANDS = [
  'ls -la', 'cat a.txt', 'cat .env', 'rm -rf build', 'rm /tmp/x', 'curl https://example.org', 'curl -d @a https://example.org', 'sudo apt-get update',
  'git status', 'git push --force', 'echo hi > a', 'python3 main.py', './x', 'find . -delete', 'true', 'nc example.org 1', 'echo $API_TOKEN',
  'pip install x', 'sed -i s/a/b/ f', 'dd of=/dev/sda', 'base64 ~/.ssh/id_rsa', 'mkdir -p a/b', "awk '{print $1}' f", 'eval "$X"',
] // prettier-ignore
const JOINS: readonly ((a: string, b: string) => string)[] = [
  (a, b) => `${a}; ${b}`,
  (a, b) => `${a}\n${b}`,
  (a, b) => `${a} && ${b}`,
  (a, b) => `${b} || ${a}`,
  (a, b) => `${a} | ${b}`,
  (a, b) => `(${a}; ${b}) 2>&1`,
  (a, b) => `if ${a}; then ${b}; fi`,
  (a, b) => `for i in 1 2; do ${a}; ${b}; done`,
  (a, b) => `f() { ${a}; ${b}; }; f`,
  (a, b) => `x=$(${a}); ${b}`,
  (a, b) => `${b} & ${a}`,
  (a, b) => `cat <(${a}) <(${b})`,
  (a, b) => `case x in y) ${a} ;; *) ${b} ;; esac`,
  (a, b) => `while ${a}; do ${b}; done`,
  (a, b) => `! ${a}; time ${b}`,
  (a, b) => `echo "$(${a})" \`${b.replaceAll('`', '')}\``,
  (a, b) => `cat <<EOF\n$(${a})\n$(${b})\nEOF`,
]

const STATEMENTS = [
  'SELECT 1', 'SELECT * FROM t', 'UPDATE t SET a = 1 WHERE b = 2', 'DELETE FROM t', 'DROP TABLE t', 'INSERT INTO t VALUES (1)', 'CALL p()',
  'SHOW TABLES', 'SELECT password FROM users', "COPY t TO PROGRAM 'x'", 'GRANT ALL ON t TO x', 'BEGIN', "SELECT 'a;b'",
] // prettier-ignore

const check = (entry: CatalogueEntry, name: string, a: unknown, b: unknown, both: unknown): void => {
  const whole = labelStep('tool', { [name]: both }, entry, OURS).labels
  for (const part of [a, b]) {
    const { labels } = labelStep('tool', { [name]: part }, entry, OURS)
    assert.ok(
      covers(whole, labels),
      `${JSON.stringify(both)} is below ${JSON.stringify(part)}: ${JSON.stringify([whole, labels])}`,
    )
  }
}

test('joining two commands is never milder than either', () => {
  for (const a of COMMANDS)
    for (const b of COMMANDS) for (const join of JOINS) check(SHELL, 'command', a, b, join(a, b))
})

test('a long chain of commands is never milder than a part of it', () => {
  const random = createRandom(20261122)
  for (let i = 0; i < 500; i++) {
    let whole = COMMANDS[random(COMMANDS.length)] ?? ''
    for (let n = 0; n < 5; n++) {
      const part = COMMANDS[random(COMMANDS.length)] ?? ''
      const next = (JOINS[random(JOINS.length - 2)] ?? JOINS[0])?.(whole, part) ?? ''
      check(SHELL, 'command', whole, part, next)
      whole = next
    }
  }
})

test('a list of statements is never milder than one of them', () => {
  for (const a of STATEMENTS)
    for (const b of STATEMENTS)
      for (const between of [';', '; ', ';\n-- x\n', ' ; /* x */ '])
        check(SQL, 'query', a, b, `${a}${between}${b}`)
})

test('programs, recipients and further arguments are never milder than a part of them', () => {
  const programs = [
    'print(1)',
    'requests.get(u)',
    'os.remove(f)',
    "open('.env')",
    'requests.post(u)',
    'subprocess.run(c)',
  ]
  for (const a of programs) for (const b of programs) check(CODE, 'code', a, b, `${a}\n${b}`)
  const people = ['a@example.com', 'b@example.org', 'Carl', 'd@mail.example.com']
  for (const a of people) for (const b of people) check(MAIL, 'to', a, b, [a, b])
  for (const a of COMMANDS)
    for (const b of COMMANDS) {
      const entry: CatalogueEntry = { ...SHELL, arguments: [{ in: '*', as: 'shell' }] }
      const { labels } = labelStep('tool', { a, b }, entry, undefined)
      assert.ok(covers(labels, labelStep('tool', { a }, entry, undefined).labels), `${a} / ${b}`)
    }
})

test('labels are never below `least`, and are the worst if arguments cannot be read', () => {
  for (const command of COMMANDS) {
    const least = { capability: 'write', confidentiality: 'sensitive', reversibility: 'partial' } as const
    assert.ok(covers(labelStep('tool', { command }, { ...SHELL, least }, undefined).labels, least))
    const { least: _, ...entry } = SHELL
    assert.ok(covers(labelStep('tool', { command }, entry, undefined).labels, SHELL.labels))
  }
})
