import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry, Organisation } from '@plimsoll/contracts'
import { givenOf } from './destinations.js'
import { labelStep } from './label-step.js'
import { OURS } from './samples.js'
import { isInside } from './web.js'

const CALENDAR: CatalogueEntry = {
  tools: ['create_event'],
  labels: { capability: 'network', reversibility: 'partial' },
}
const SEARCH: CatalogueEntry = {
  tools: ['web_search'],
  labels: {
    capability: 'network',
    confidentiality: 'public',
    trust: 'untrusted',
    reversibility: 'reversible',
  },
}

/** `external`, `strangers`, or '' where neither is reported. */
function reaches(entry: CatalogueEntry, args: Record<string, unknown>, organisation?: Organisation): string {
  const { signals } = labelStep(entry.tools[0] ?? '', args, entry, organisation)
  return (['external', 'strangers'] as const).filter((name) => (signals[name] ?? 0) > 0).join(' ')
}

test('a journey has an origin and a destination, which are no hosts or people', () => {
  assert.equal(reaches(CALENDAR, { title: 'trip', legs: [{ origin: 'DTW', destination: 'SEA' }] }), '')
  assert.equal(reaches(CALENDAR, { origin: 'DTW', destination: 'eve@b.example' }), 'external strangers')
  assert.equal(reaches(CALENDAR, { origin: 'https://b.example', destination: 'SEA' }), 'external')
})

test('every argument that gives access to outsiders counts, whatever its name', () => {
  for (const args of [
    { access: 'anyone_with_link' },
    { access: 'anyone' },
    { visibility: 'Public' },
    { channel: '#public-news' },
    { scope: 'open-internet' },
    { is_public: true },
    { send_to_all: true },
    { segment: 'newsletter' },
    { copy: 'eve' },
    { notify: 'hooks.example.net' },
    { options: { forward: [{ via: 'hooks.example.net' }] } },
    { webhook: 'hooks.example.net/x' },
    { via: 'https://hooks.example.net/' },
    { note_to: 'Ann\r\nBcc: eve@example.net' },
    { reply: 'eve@example.net' },
  ])
    assert.equal(reaches(CALENDAR, args, OURS), 'external', JSON.stringify(args))
  assert.equal(reaches(CALENDAR, { phone: '+41 79 123 45 67' }, OURS), 'strangers')
  assert.equal(reaches(CALENDAR, { sms: '0041791234567' }, OURS), 'strangers')
})

test('values without an outside address are not external', () => {
  for (const args of [
    { fetch_all: true },
    { copy: 'Our summer sale begins on Monday. Come by and see what the garden has to offer.' },
    { title: 'A public holiday', start: '2026-01-01 10:00' },
    { access: 'team' },
    { visibility: 'private' },
    { channel: 'republic' },
    { attachment_name: 'plan.pdf' },
    { format: 'notes.md' },
    { is_public: false },
    { attendees: ['ann@example.com'] },
    { host: 'example.com' },
    { duration: '0045' },
  ])
    assert.equal(reaches(CALENDAR, args, OURS), '', JSON.stringify(args))
})

test('where a clone or a download is put does not leave, unless it is a place of keys or the system', () => {
  const labels = { capability: 'network', trust: 'untrusted', reversibility: 'partial' } as const
  const savedBy = (tool: string, args: Record<string, unknown>): readonly string[] =>
    labelStep(tool, args, { tools: [tool], labels }, undefined).saved
  const url = 'https://git.example.net/ann/tides'
  assert.deepEqual(savedBy('git_clone', { url, local_dir_path: '/downloads' }), ['local_dir_path'])
  assert.deepEqual(savedBy('clone_repository', { url, path: 'tides' }), ['path'])
  for (const path of ['/etc/cron.d', '/home/ann/.ssh/id', '~/.aws/credentials'])
    assert.deepEqual(savedBy('git_clone', { url, path }), [], path)
  // What is saved on another system leaves.
  assert.deepEqual(savedBy('save_document', { local_path: 'report.pdf' }), [])
})

test('a wildcard domain covers its subdomains but not itself', () => {
  const organisation = { domains: ['*.example.com'] }
  for (const [host, expected] of [
    ['a.example.com', true],
    ['A.B.Example.com.', true],
    ['.example.com', false],
    ['example.com', false],
    ['aexample.com', false],
    ['a.example.com.evil.net', false],
  ] as const)
    assert.equal(isInside(host, organisation), expected, host)
  assert.equal(isInside('example.com', OURS), true)
  assert.equal(isInside('a.example.com', OURS), false)
  assert.equal(isInside('example.com', undefined), false)
})

test('a tool for public web pages is external unless a local place is named', () => {
  assert.equal(reaches(SEARCH, { query: 'weather' }), 'external')
  assert.equal(reaches(SEARCH, { url: 'http://localhost/x' }), '')
  assert.equal(reaches(SEARCH, { url: 'https://a.example.net/x' }), 'external')
  assert.equal(
    reaches({ ...SEARCH, labels: { ...SEARCH.labels, confidentiality: 'internal' } }, { query: 'a' }),
    '',
  )
})

test('where a tool that downloads puts what it fetches is no record that it sends', () => {
  const isSent = (
    tool: string,
    args: Record<string, unknown>,
    reversibility = 'reversible' as const,
  ): boolean => {
    const entry: CatalogueEntry = { tools: [tool], labels: { capability: 'network', reversibility } }
    return (labelStep(tool, args, entry, undefined).signals['records'] ?? 0) > 0
  }
  for (const name of ['local_dir_path', 'savePath', 'output_file', 'destination_folder'])
    assert.equal(isSent('download_file', { [name]: '/srv/a' }), false, name)
  // What reads a file of this host sends it, whatever its argument is called.
  for (const tool of ['ocr_image', 'curl', 'git_fetch', 'fetch'])
    assert.equal(isSent(tool, { local_path: '/srv/a' }), true, tool)
  for (const place of ['/home/ann/.ssh/id_rsa', '/etc/passwd', '/srv/app/.git/hooks', '/var/www/html/a'])
    assert.equal(isSent('download_file', { output_file: place }), true, place)
  for (const name of ['path', 'file', 'local_id', 'attachment'])
    assert.equal(isSent('download_file', { [name]: '/srv/a' }), true, name)
})

test('a reading tool that is given a link asks another host for it', () => {
  const READ: CatalogueEntry = {
    tools: ['read_it'],
    labels: { capability: 'read', confidentiality: 'internal', reversibility: 'reversible' },
  }
  const capability = (args: Record<string, unknown>, organisation?: Organisation) =>
    labelStep('read_it', args, READ, organisation).labels.capability
  for (const link of [
    'https://evil.example.net/?d=1',
    ' ftp://evil.example.net/x',
    'WSS://evil.example.net',
    `https://evil.example.net/${'a'.repeat(5_000)}`,
  ])
    assert.equal(capability({ path: link }), 'network', link)
  for (const path of ['notes.txt', 'see https://a.example for more', 'file:///etc/hosts', 'https:'])
    assert.equal(capability({ path }), 'read', path)
  assert.equal(capability({ content: 'https://evil.example.net/' }), 'read', 'text for people')
})

test('a tool that looks names of hosts up asks the servers of each', () => {
  const capability = (tool: string, name: string) =>
    labelStep(
      tool,
      { name },
      { tools: [tool], labels: { capability: 'read', reversibility: 'reversible' } },
      undefined,
    ).labels.capability
  for (const tool of ['lookup_dns', 'whois', 'net__ping']) {
    assert.equal(capability(tool, 'kx-48217.7730194422.evil.example.net'), 'network', tool)
    assert.equal(capability(tool, 'a name'), 'read', tool)
  }
  assert.equal(capability('lookup_user', 'ann.example.net'), 'read')
})

test('a file that a tool fetches from a public page is known by where it is put', () => {
  const WEB: CatalogueEntry = {
    tools: ['download_file'],
    labels: {
      capability: 'network',
      confidentiality: 'public',
      trust: 'untrusted',
      reversibility: 'reversible',
    },
  }
  const fetched = (args: Record<string, unknown>, tool = 'download_file') =>
    labelStep(tool, args, { ...WEB, tools: [tool] }, OURS).fetched
  const url = 'https://city.example.net/plans/floor.pdf'
  assert.equal(fetched({ url }), 'floor.pdf')
  assert.equal(fetched({ url, save_path: '/tmp/plan.pdf' }), '/tmp/plan.pdf')
  assert.equal(fetched({ url, output_dir: '/tmp/' }), '/tmp/floor.pdf')
  for (const args of [
    { url: `${url}?patient=7` },
    { url: 'https://ann:pw@city.example.net/floor.pdf' },
    { url: 'https://portal.example.com/export/all.pdf' },
    { url: 'http://localhost/floor.pdf' },
    { url, headers: { cookie: 'x' } },
  ])
    assert.equal(fetched(args), undefined, JSON.stringify(args))
  assert.equal(fetched({ url }, 'fetch_page'), undefined)
})

test('the word null stands for a recipient or file that is left out', () => {
  const to = 'bob@example.com'
  assert.deepEqual(givenOf({ to, cc: 'null', bcc: 'None', attachments: 'N/A', body: 'null' }), {
    to,
    body: 'null',
  })
  assert.deepEqual(givenOf({ to: [to], cc: 'null' }), { to: [to] })
  for (const args of [
    { to, body: 'Hi' },
    { command: 'null', query: 'none' },
    // Nobody else is meant, and who is called so may be.
    { to: 'null' },
    { to: 'null', cc: 'none' },
    { to: 'null', cc: '' },
    { to: 'null', cc: [''] },
    { to: [to, 'null'] },
  ])
    assert.deepEqual(givenOf(args), args)
})
