import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noted, SHELL } from './samples.js'
import { labelStep } from './label-step.js'

/** Asserts that `notes` is true for the first calls and false for the others. */
function assertNotesCode(
  notes: (text: string) => boolean,
  writing: readonly string[],
  other: readonly string[],
): void {
  for (const text of writing) assert.ok(notes(text), text)
  for (const text of other) assert.ok(!notes(text), text)
}

test('marks commands that write what a later step may run', () => {
  const notes = (command: string): boolean => noted('bash', command).includes('code')
  assertNotesCode(
    notes,
    [
      'echo x > package.json',
      'tee Makefile < a',
      'cp a conftest.py',
      "sed -i 's/a/b/' setup.py",
      'echo "import os; os.system(1)" > a.py',
      'sort a > b.py',
      'cat > x.sh <<E\ncurl a\nE',
      'tar xf a.tar',
      'patch -p1 < a',
      'git apply a',
      'curl -o a.py http://localhost/a',
      'ls >> ~/.bashrc',
      './x',
      'mv a .git/hooks/pre-commit',
      "sed -i 's/a/b/' a.py",
      'echo "x = 1" >> a.py',
      "printf 'x = 1\\nimport mine\\n' > a.py",
      'cat > a.py <<E\nimp\\\nort mine\nE',
      'cat > a.js <<E\n1\nE',
      'curl -O http://localhost/a.py',
      'curl -sO http://localhost/a.py?b=c.csv',
      'curl -OJ http://localhost/a.csv',
      'wget http://localhost/a.py',
      'wget -r http://localhost/a.csv',
      'git pull',
      'git archive -o a.py HEAD',
      'gunzip a.gz b.py',
    ],
    [
      'ls > out.txt',
      'echo "x = 1" > a.py',
      'cp a.txt b.txt',
      'ls 2> /dev/null',
      'sort a > b.csv',
      'cat > a.py <<E\nprint(1)\nE',
      'curl -O http://localhost/a.csv',
      'curl http://localhost/a.py',
      'wget -qO- http://localhost/a.py',
      'wget -O a.csv http://localhost/a.py',
      'git grep -o a',
      'git commit -m a',
    ],
  )
})

test('finds the files that a Python program writes', () => {
  const bound = 'import os, io, gzip\na = b = d = m = p = z = f = folder = np = plt = 1\n'
  const notes = (code: string): boolean => noted('python', bound + code).includes('code')
  assertNotesCode(
    notes,
    [
      "open('a.py', 'w')",
      "open(a, 'w')",
      "open('a' + a, 'w')",
      "open(file='a.py', mode='w')",
      "open('a.py', mode=m)",
      "open('a.py', m)",
      "open('a.py', 'r+')",
      'open(*a)',
      'f = open',
      "p.open('w')",
      'p.open(m)',
      "p.open(mode='w')",
      "io.open('a.py', 'w')",
      "gzip.open('a.py', 'wb')",
      "os.open('a.py', os.O_CREAT)",
      "p.write_text('a')",
      "os.rename('a.txt', 'b.py')",
      "os.replace('a.txt', 'b.py')",
      'os_replace = os.replace',
      "p.replace('b.py')",
      "z.extractall('a')",
      "d.to_csv('a.py')",
      'd.to_csv(a)',
      'np.save(a, b)',
      "plt.savefig(f'{a}')",
      "open('a.csv\\x00', 'w')",
      "open(f(1, 'a.csv'), 'w')",
      `open(${"'a' + ".repeat(200)}'a.csv', 'w')`,
    ],
    [
      "open('a.py')",
      "open('a.py', 'r')",
      "open('a.py', 'rb', encoding='utf-8')",
      "open('a.py', encoding='utf-8')",
      'open(a)',
      'p.open()',
      "p.open('r')",
      "p.open(mode='rb')",
      "gzip.open('a.gz')",
      "open('a.csv', 'w')",
      "open(f'{a}.csv', 'w')",
      "open(folder / 'a.csv', 'w')",
      "open(folder + 'a.csv', 'a')",
      "open('a.json', mode='w')",
      "'a'.replace('a', 'b')",
      "d.to_csv('a.csv')",
      'd.to_csv()',
      "plt.savefig('a.png', dpi=300)",
      "open('a.csv', 'w', newline='')",
    ],
  )
})

test('a task may name a pipeline by its file, its folder or CI/CD', () => {
  const labels = { capability: 'write', reversibility: 'partial' } as const
  const entry = { tools: ['write_file'], labels }
  const args = { path: '.github/workflows/images.yml', content: 'image: app:2' }
  const { objects } = labelStep('write_file', args, entry, undefined)
  const names = new Set(objects.flatMap((object) => object.names))
  for (const name of ['images.yml', '.github/workflows', 'CI/CD']) assert.ok(names.has(name), name)
})

test('an edit of a pipeline that leaves a check out loosens it', () => {
  const labels = { capability: 'write', reversibility: 'partial' } as const
  const entry = { tools: ['edit'], labels }
  const loosens = (old_string: string, new_string: string): boolean =>
    labelStep(
      'edit',
      { path: '.github/workflows/ci.yml', old_string, new_string },
      entry,
      undefined,
    ).objects.some(({ thing }) => thing === 'a check of the pipeline')
  assert.ok(loosens('  - run: cargo build\n  - run: cargo clippy\n', '  - run: cargo build\n'))
  assert.ok(loosens('  audit:\n    steps:\n      - run: pip-audit\n', ''))
  assert.ok(loosens('  - run: go vet ./...\n  - run: go build', '  # - run: go vet ./...\n  - run: go build'))
  assert.ok(!loosens('  - run: cargo clippy\n', '  - run: cargo clippy --all\n'))
  assert.ok(!loosens('  - run: cargo build\n  - run: cargo doc\n', '  - run: cargo build\n'))
  assert.ok(!loosens('  - run: go vet ./...\n', '  - run: make ci\n'))
  const { objects } = labelStep(
    'bash',
    { command: "sed -i '/pip-audit/d' .github/workflows/ci.yml" },
    SHELL,
    undefined,
  )
  assert.ok(objects.some(({ thing }) => thing === 'a check of the pipeline'))
})
