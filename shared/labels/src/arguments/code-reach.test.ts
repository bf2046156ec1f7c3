import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staysIn } from './code-reach.js'

test('code that reaches nothing new stays in', () => {
  for (const text of [
    'retry(3)',
    'export const timeout = 30_000',
    'if (attempts > 3) return undefined\nattempts += 1',
    "import { retry } from './retry.js'\nretry(count)",
    'const longest = names.map((name) => name.length)',
    'const isLive = process.env.NODE_ENV === "production"',
  ])
    assert.equal(staysIn('src/a.ts', text), true, text)
  assert.equal(staysIn('src/a.py', 'def add(a, b):\n    return a + b'), true)
})

test('code that may reach out, write a file, start a program or make code does not', () => {
  for (const text of [
    "fetch('/x')",
    'new HttpTransport(env)',
    'sendReport(env)',
    "import got from 'got'",
    "export { a } from 'left-pad'",
    "const got = require('got')",
    'const m = await import(name)',
    'require(name)',
    "handlers[name]('x')",
    "globalThis['fe' + 'tch']",
    "fs.writeFileSync('public/x', all)",
    "process.binding('spawn_sync')",
    "new Function('return 1')",
    "atob('ZmV0Y2g=')",
    "'\\x66etch'",
    'analytics.track(env)',
    '#include <sys/uio.h>',
    'use std::os;',
    'import paramiko',
    'from smtplib import SMTP',
    'Path("x").touch()',
    "global['fe'+'tch']",
    "module['req'+'uire']('x')",
    "<img src={'//a/?k='+k}/>",
    'reqwest::get(u)',
    "import './payload.txt'",
    "import webbrowser as w  # './'",
    'if True: import os',
    '',
  ])
    assert.equal(staysIn('src/a.ts', text), false, text)
})

test('other files, and texts that are too long to read, do not', () => {
  for (const path of [
    'a.sh',
    'a.rb',
    'a.php',
    'a.pl',
    'Makefile',
    'package.json',
    'a',
    `${'a/'.repeat(300)}a.ts`,
  ])
    assert.equal(staysIn(path, 'retry(3)'), false, path)
  assert.equal(staysIn('a.ts', 'a'.repeat(70_000)), false)
})
