import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  matchesGlob,
  matchesTool,
  nameBehindKnownServer,
  nameBehindServer,
  toolOnServer,
} from './tool-names.js'

test('tool patterns', () => {
  const rows: [pattern: string, name: string, matches: boolean][] = [
    ['send', 'send', true],
    ['send', 'sender', false],
    ['send', 'resend', false],
    ['*', 'anything', true],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['**', 'a', true],
    ['send_*', 'send_', true],
    ['send_*', 'send_email', true],
    ['*_email', 'send_email', true],
    ['*_email', 'send_emails', false],
    ['mcp__*__send_*', 'mcp__mail__send_email', true],
    ['mcp__*__send_*', 'mcp__mail__read', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*ab', 'aab', true],
    ['*a*a', 'a', false],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['Send', 'send', false],
  ]
  for (const [pattern, name, matches] of rows)
    assert.equal(matchesGlob(pattern, name), matches, `${pattern} on ${name}`)
})

/** The pattern as a regular expression: slow on some patterns, hard to get wrong. */
function oracle(pattern: string, name: string): boolean {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(/\*+/g, '.*')}$`, 's').test(name)
}

test('the matcher agrees with a regular expression on every short pattern and name', () => {
  const words = (letters: string, lengthMax: number): string[] => {
    const all = ['']
    for (let from = 0, length = 1; length <= lengthMax; length++) {
      const to = all.length
      for (; from < to; from++) for (const letter of letters) all.push(`${all[from] ?? ''}${letter}`)
    }
    return all
  }
  const names = words('ab', 5)
  for (const pattern of words('ab*', 5))
    for (const name of names)
      assert.equal(matchesGlob(pattern, name), oracle(pattern, name), `${pattern} on ${name}`)
})

test('and on seeded random longer ones', () => {
  let seed = Number(process.env['PLIMSOLL_TEST_SEED'] ?? 20_261_121)
  const first = seed
  const draw = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 4_294_967_296) * below)
  }
  const text = (letters: string, length: number) =>
    Array.from({ length }, () => letters[draw(letters.length)] ?? '').join('')
  for (let i = 0; i < 20_000; i++) {
    const pattern = text('ab_.*', draw(9))
    const name = text('ab_.', draw(14))
    assert.equal(matchesGlob(pattern, name), oracle(pattern, name), `${pattern} on ${name}, seed ${first}`)
  }
})

test('the name of a tool on its server, as clients spell it', () => {
  const rows: [tool: string, bare: string | undefined][] = [
    ['mcp__mail__send_email', 'send_email'],
    ['mcp__my_server__send__now', 'send__now'],
    ['developer__shell', undefined],
    ['mcp____send', undefined],
    ['MCP:send_email', 'send_email'],
    ['mcp__mail', undefined],
    ['mcp__mail__', undefined],
    ['MCP:', undefined],
    ['__init__', undefined],
    ['mcp_mail_send_email', undefined],
    ['send_email', undefined],
    ['', undefined],
  ]
  for (const [tool, bare] of rows) assert.equal(toolOnServer(tool), bare, tool)
})

test('the name behind a server, however it is spelled', () => {
  const rows: [tool: string, name: string][] = [
    ['mcp__mail__send_email', 'send_email'],
    ['mail__send_email', 'send_email'],
    ['mail.send_email', 'send_email'],
    ['google-calendar.update-event', 'update-event'],
    ['mail/sendEmail', 'sendEmail'],
    ['chat.delete', 'chat.delete'],
    ['send_email', 'send_email'],
    ['mail__', 'mail__'],
    ['__init__', '__init__'],
    ['', ''],
  ]
  for (const [tool, name] of rows) assert.equal(nameBehindServer(tool), name, tool)
})

test('the name behind a well-known server', () => {
  const rows: [tool: string, name: string | undefined][] = [
    ['playwright_browser_navigate', 'browser_navigate'],
    ['playwright-browser_navigate', 'browser_navigate'],
    ['mcp_playwright_browser_navigate', 'browser_navigate'],
    ['playwright__browser_navigate', 'browser_navigate'],
    ['fetch__fetch', 'fetch'],
    ['files__read_file', undefined],
    ['fetch_list_files', undefined],
    ['delete_list_files', undefined],
    ['git_push', undefined],
  ]
  for (const [tool, name] of rows) assert.equal(nameBehindKnownServer(tool), name, tool)
})

test('a pattern matches a tool by its whole name or by that on its server', () => {
  const rows: [pattern: string, tool: string, matches: boolean][] = [
    ['send_email', 'mcp__mail__send_email', true],
    ['send_*', 'MCP:send_email', true],
    ['send_*', 'mail__send_email', false],
    ['mcp__mail__*', 'mcp__mail__send_email', true],
    ['mcp__post__*', 'mcp__mail__send_email', false],
    ['mail', 'mcp__mail__send_email', false],
    ['send_email', 'send_email_later', false],
  ]
  for (const [pattern, tool, matches] of rows)
    assert.equal(matchesTool(pattern, tool), matches, `${pattern} on ${tool}`)
})
