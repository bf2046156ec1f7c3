import { type Dirent, existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { seededRandom } from '@plimsoll/chains'
import { fitting } from '@plimsoll/labels'
import type { InstructionSample } from './fit.js'
import { createGrammar, marked, readRules, writeInjection } from './samples.js'

/** A file of a package that is installed for this project: what the tools of coding agents bring back every day. */
export interface DeveloperText {
  readonly text: string
  readonly kind: 'code' | 'types' | 'page' | 'data'
  /** Of a package that no fit learns from. */
  readonly heldOut: boolean
}

/** Results of tools are cut: as many characters of a file are read. */
const TEXT_MAX = 6_000
const FILE_BYTES_MAX = 200_000
const TEXT_MIN = 200
/** Files of one package that are looked at, and that are taken of each kind. */
const FILES_MAX = 2_000
const TAKEN = { code: 4, types: 2, page: 2, data: 1 } as const
/** Every how many packages one is held out, by its name. */
const HELD_OUT = 3

const KINDS: readonly (readonly [DeveloperText['kind'], RegExp])[] = [
  ['types', /\.d\.[cm]?ts$/],
  ['code', /(?<!\.min)\.[cm]?js$/],
  ['page', /^(?!changelog|license|history).*\.md$/i],
  ['data', /^package\.json$/],
]

/**
 * Texts of the packages in this project's lock file, in its order; none where the project's own folder is not around, as in an installed
 * command. The same lock file gives the same texts: packages of one platform alone are left out.
 */
export function developerTexts(): DeveloperText[] {
  const root = projectAround(process.cwd())
  if (root === undefined) return []
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> }
  return Object.entries(packages).flatMap(([place, { link, optional }]) =>
    !place.startsWith('node_modules/') || link || optional ? [] : textsOf(path.join(root, place), place),
  )
}

/** This project's folder, if `folder` is in it. */
function projectAround(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'lab/fit/grammar')) && existsSync(path.join(at, 'package-lock.json')))
      return at
    if (at === path.dirname(at)) return undefined
  }
}

interface LockedPackage {
  readonly link?: boolean
  readonly optional?: boolean
}

function textsOf(folder: string, place: string): DeveloperText[] {
  const heldOut = hashOf(place) % HELD_OUT === 0
  const files = filesOf(folder).map((file) => ({ file, order: hashOf(`${place}/${file}`) }))
  files.sort((a, b) => a.order - b.order)
  return KINDS.flatMap(([kind]) =>
    files
      .filter(({ file }) => kindOf(file) === kind)
      .slice(0, TAKEN[kind])
      .map(({ file, order }) => ({ text: partOf(path.join(folder, file), order), kind, heldOut }))
      .filter(({ text }) => text.length >= TEXT_MIN),
  )
}

const kindOf = (file: string): DeveloperText['kind'] | undefined =>
  KINDS.find(([, pattern]) => pattern.test(path.basename(file)))?.[0]

/** Files below a package's folder, without those of packages inside it, in the order of their names. */
function filesOf(folder: string): string[] {
  const files: string[] = []
  const visit = (within: string): void => {
    const entries = existsSync(path.join(folder, within)) ? entriesOf(path.join(folder, within)) : []
    for (const entry of entries) {
      const file = path.join(within, entry.name)
      if (files.length >= FILES_MAX) return
      if (entry.isDirectory() && entry.name !== 'node_modules') visit(file)
      else if (entry.isFile() && kindOf(file) !== undefined) files.push(file)
    }
  }
  visit('')
  return files
}

const entriesOf = (folder: string): Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))

/** A file that fits, or a part of it that begins with a line. */
function partOf(file: string, order: number): string {
  if (statSync(file).size > FILE_BYTES_MAX) return ''
  const text = readFileSync(file, 'utf8')
  if (text.length <= TEXT_MAX) return text
  const at = text.indexOf('\n', order % (text.length - TEXT_MAX)) + 1
  return text.slice(at, at + TEXT_MAX)
}

const hashOf = (text: string): number => fitting.hashOf(text, 0, text.length) >>> 0

/**
 * Samples from developers' texts: as they are, and with an instruction to a model between their lines, as a comment, a paragraph or a string.
 * The same texts and seed give the same samples.
 */
export function developerSamples(texts: readonly DeveloperText[], seed: number): InstructionSample[] {
  const chance = seededRandom(seed)
  const write = createGrammar(readRules(), chance)
  return texts.flatMap(({ text, kind }) => {
    // Manuals tell their reader what to do: how many of them are flagged does not set the threshold.
    const plain: InstructionSample = { text, instructed: false, made: kind === 'page' }
    if (kind === 'data') return [plain]
    const instruction = writeInjection(write)
    const frame = kind === 'page' ? undefined : FRAMES[Math.floor(chance() * FRAMES.length)]
    return [plain, marked(inserted(text, frame?.(instruction) ?? instruction, chance), true)]
  })
}

/** Between two lines of the text. */
function inserted(text: string, instruction: string, chance: () => number): string {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1)
  const at = ends[Math.floor(chance() * ends.length)] ?? text.length
  return `${text.slice(0, at)}${instruction}\n${text.slice(at)}`
}

/** How an instruction stands in code. */
const FRAMES: readonly ((instruction: string) => string)[] = [
  (text) => lines(text, '// '),
  (text) => lines(text, '# '),
  (text) => `/*\n${lines(text, ' * ')}\n */`,
  (text) => `/** ${text.replaceAll('\n', ' ')} */`,
  (text) => `"""${text}"""`,
  (text) => `const note = ${JSON.stringify(text)}`,
]

const lines = (text: string, mark: string): string => `${mark}${text.replaceAll('\n', `\n${mark}`)}`
