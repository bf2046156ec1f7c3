import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from './label-step.js'
import { CODE, SHELL } from './samples.js'

const inShell = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const python = (code: string) => labelStep('python', { code }, CODE, undefined)
const node = (code: string) => inShell(`node <<'X'\n${code}\nX`)
const doesOf = ({ signals }: ReturnType<typeof inShell>): string[] =>
  Object.keys(signals)
    .filter((name) => name.startsWith('does'))
    .toSorted()

const API = 'https://api.shop.example.com'

test('Python does what the command of the same act does', () => {
  for (const [code, command] of [
    [`import requests\nrequests.delete('${API}/users/3')`, `curl -X DELETE ${API}/users/3`],
    [`import httpx\nhttpx.request('DELETE', '${API}/users/3')`, `curl -X DELETE ${API}/users/3`],
    [`import requests\nB = '${API}'\nrequests.put(f'{B}/orders/3', json={})`, `curl -X PUT ${API}/orders/3`],
    [
      `import urllib.request as u\nu.urlopen(u.Request('${API}/users/3', method='DELETE'))`,
      `curl -X DELETE ${API}/users/3`,
    ],
    [
      `import requests\nrequests.post('${API}/v1/refunds', json={'amount': 5})`,
      `curl -d a=5 ${API}/v1/refunds`,
    ],
    [
      `import requests\nrequests.post('${API}/graphql', json={'query': 'mutation { deleteUser(id: 7) { id } }'})`,
      `curl -X POST ${API}/graphql -d '{"query":"mutation { deleteUser(id: 7) { id } }"}'`,
    ],
    ['import os\nos.kill(-1, 9)', 'kill -9 -1'],
    ['import os\nos.killpg(0, 9)', 'kill -9 -1'],
    ["import os\nos.remove('data/customers.db')", 'rm data/customers.db'],
    ["import shutil\nshutil.move('data', '/tmp/x')", 'mv data /tmp/x'],
    [
      "from pathlib import Path\nPath('.claude/settings.json').write_text('{}')",
      'echo > .claude/settings.json',
    ],
    ["p = '.claude/settings.json'\nPath(p).write_text('{}')", 'echo > .claude/settings.json'],
    ["open('/home/ann/.bashrc', 'w').write('x')", 'echo x > /home/ann/.bashrc'],
    ["conn.execute(text('DELETE FROM users'))", "psql -c 'DELETE FROM users'"],
  ] as const) {
    const done = doesOf(python(code))
    assert.ok(done.length > 0, code)
    assert.deepEqual(done, doesOf(inShell(command)), code)
  }
})

test('JavaScript does what the command of the same act does', () => {
  for (const [code, command] of [
    ["require('fs').writeFileSync('.claude/settings.json', '{}')", 'echo > .claude/settings.json'],
    ["require('fs').writeFileSync('/home/ann/.bashrc', 'a')", 'echo a > /home/ann/.bashrc'],
    ["const { rm } = require('fs/promises'); rm('data', { recursive: true })", 'rm -r data'],
    ["require('pg').query('DROP TABLE users')", "psql -c 'DROP TABLE users'"],
    ['process.kill(1)', 'kill -9 1'],
    ["Deno.removeSync('data', { recursive: true })", 'rm -r data'],
    ["require('child_process').spawn('rm', ['-rf', '/home/ann/x'])", 'rm -rf /home/ann/x'],
    [`fetch('${API}/users/3', { method: 'DELETE' })`, `curl -X DELETE ${API}/users/3`],
    [`require('axios').delete(\`${API}/users/3\`)`, `curl -X DELETE ${API}/users/3`],
  ] as const) {
    const done = doesOf(node(code))
    assert.ok(done.length > 0, code)
    assert.deepEqual(done, doesOf(inShell(command)), code)
  }
})

test('calls of the same names do nothing of the kind', () => {
  for (const code of [
    "d = {}\nd.pop('a')\nl = [1]\nl.remove(1)",
    'import os\nos.kill(os.getpid(), 0)',
    'import os, signal, subprocess\np = subprocess.Popen(["npm", "start"])\nos.killpg(os.getpgid(p.pid), signal.SIGTERM)',
    "import shutil\nshutil.move('src/a.py', 'src/b.py')",
    "import requests\nrequests.delete('http://localhost:3000/users/3')",
    `import requests\nrequests.post('${API}/search', json={'q': 'x'})`,
    "from fastapi.testclient import TestClient\nclient = TestClient(app)\nclient.delete('/users/3')",
    "p = Path('src/a.py')\np.write_text('x')",
    "df.query('a > 1')",
  ])
    assert.deepEqual(doesOf(python(code)), [], code)
  for (const code of [
    "const m = new Map(); m.delete('x'); new URLSearchParams('a=1').delete('a')",
    "router.delete('/users/:id', handler)",
    "/a/.exec('drop it')",
    'process.kill(child.pid)',
    "require('pg').query('SELECT 1')",
  ])
    assert.deepEqual(doesOf(node(code)), [], code)
})
