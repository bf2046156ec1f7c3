import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { projectRoot } from '../../support/paths.js'

const folder = path.join(projectRoot, 'services/console/dist/page')

/** Of all files of the page, compressed. */
const BYTES_MAX = 200_000

test('the page is small', () => {
  const names = readdirSync(folder)
  assert.deepEqual(names.toSorted(), ['app.css', 'app.js', 'icon.svg', 'index.html'])
  const sizes = names.map((name) => gzipSync(readFileSync(path.join(folder, name))).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total <= BYTES_MAX, `${total} bytes`)
})

test('the page has no inline script or style, and loads nothing from elsewhere', () => {
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  const html = read('index.html')
  assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
  assert.doesNotMatch(html, /https?:/)
  assert.doesNotMatch(read('app.css'), /@import|url\((?!["']?data:)/)
  assert.doesNotMatch(read('app.js'), /dangerouslySetInnerHTML\s*:/)
})
