import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { versionOf } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { writtenPages } from './hand-written.js'
import { PROSE_FILES, anchorsIn, linkFigures, readFigurePages, wrongFigures } from './linked-figures.js'

const pages = readFigurePages()

describe('the pages of figures', () => {
  for (const [name, page] of Object.entries(pages))
    test(`${name} is of the bundle that ships`, async () => {
      const version = versionOf(await readDocument('bundle'))
      assert.ok(page.includes(version), `${name} names another bundle than ${version}: make it again`)
    })

  test('have every table', () => {
    for (const page of Object.values(pages)) assert.doesNotMatch(page, /not run/i)
  })

  test('say what the prose says', () => {
    const wrong = writtenPages().flatMap(({ file, text }) =>
      wrongFigures(text, pages).map((figure) => ({ file, ...figure })),
    )
    assert.deepEqual(wrong, [], 'node scripts/prediction-figures.mjs writes the figures into the prose')
  })

  test('have the sections that the prose links to', () => {
    const missing = writtenPages().flatMap(({ file, text }) =>
      [...text.matchAll(/\b(prediction-figures|configuration-figures)\.md#([\w-]+)/g)]
        .filter(([, name = '', anchor = '']) => !anchorsIn(pages[`${name}.md`] ?? '').includes(anchor))
        .map(([link]) => `${file}: ${link}`),
    )
    assert.deepEqual(missing, [])
  })

  test('are quoted by pages that are written again with them', () => {
    const quoting = writtenPages()
      .filter(({ text }) => /\b(?:prediction-figures|configuration-figures)\.md#[\w-]+\s+"/.test(text))
      .map(({ file }) => file)
    assert.deepEqual(
      quoting.filter((file) => !(PROSE_FILES as readonly string[]).includes(file)),
      [],
    )
    assert.ok(quoting.includes('docs/explanation/prediction.md'))
  })
})

describe('linked figures', () => {
  const figures = [
    '# Figures',
    '## Unseen attacks: all',
    '| by p1 | all | slack |',
    '| --- | --- | --- |',
    '| flow | .995 | .986 |',
    '',
    '| by p5 | all | slack |',
    '| --- | --- | --- |',
    '| flow | .989 | .981 |',
    '',
    '| method | by | detected |',
    '| --- | --- | --- |',
    '| flow | p1 | 97.1% [96.4, 97.6] |',
    '| **all** | p1 | 2.3% of 410 |',
  ].join('\n')
  const pages = { 'prediction-figures.md': figures }
  const link = (text: string, title: string) =>
    `AUC is [${text}](../reference/prediction-figures.md#unseen-attacks-all "${title}").`

  const rows = [
    { title: 'flow / slack', right: '.986' },
    { title: 'by p5 / flow / slack', right: '.981' },
    { title: 'flow, p1 / detected', right: '97.1%' },
    { title: 'all / detected', right: '2.3%' },
  ]
  for (const { title, right } of rows)
    test(`${title}: the cell counts`, () => {
      assert.deepEqual(wrongFigures(link(right, title), pages), [])
      assert.deepEqual(
        wrongFigures(link('.5', title), pages).map(({ page }) => page),
        [right],
      )
      assert.equal(linkFigures(link('.5', title), pages), link(right, title))
    })

  for (const title of ['flow / travel', 'paper / slack', 'by p9 / flow / slack'])
    test(`${title}: what the page does not have is wrong, and stays`, () => {
      assert.deepEqual(
        wrongFigures(link('.5', title), pages).map(({ page }) => page),
        [undefined],
      )
      assert.equal(linkFigures(link('.5', title), pages), link('.5', title))
    })
})
