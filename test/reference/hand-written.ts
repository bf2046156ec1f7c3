import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'

/** One page that is written by hand. */
export interface WrittenPage {
  /** From the project's root. */
  readonly file: string
  readonly text: string
}

/** README, ARCHITECTURE and all pages of docs. */
export function writtenPages(): readonly WrittenPage[] {
  const folders = [
    'docs',
    'docs/tutorials',
    'docs/guides',
    'docs/guides/runbooks',
    'docs/reference',
    'docs/explanation',
    'docs/decisions',
  ]
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  )
  return ['README.md', 'ARCHITECTURE.md', ...files].map((file) => ({
    file,
    text: readFileSync(path.join(projectRoot, file), 'utf8'),
  }))
}

/** The blocks of `language` on a page, in their order. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}
