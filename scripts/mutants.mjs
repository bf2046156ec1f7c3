/**
 * `node scripts/mutants.mjs [--sample 300] [--seed 1] [--groups evidence,line] [--changes all] [--jobs 2] [--at-least 0.9] [--killers]`:
 * mutation testing of what keeps data in. It changes compiled files in one place each, runs the tests of that file against each such mutant
 * until one fails, and prints those that survive. With `--changes conditions` each mutant lacks one condition: an operand, the test of a
 * branch, a negation. `--killers` prints the test that fails too. Nothing is written beside the sources: a loader hands out the mutant instead
 * of the file. Needs a build (`npm run build`).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const DEFAULTS = { sample: '300', seed: '1', groups: '', changes: 'all', jobs: '2', 'at-least': '0' }
const known = Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }])
const { values: options } = parseArgs({
  options: { ...Object.fromEntries(known), killers: { type: 'boolean', default: false } },
})
const compiled = (names) => names.split(' ').map((name) => `shared/engine/dist/${name}.js`)
const tested = (names) => names.split(' ').map((name) => `shared/engine/dist/${name}.test.js`)
const HASHES = 'shared/contracts/dist/events/logged-event'
const [READERS, FINGERPRINTS] = ['shared/labels/dist/arguments', 'shared/labels/dist/provenance']
/** Also what is kept of hundreds of arguments and texts, for both. */
const OBSERVED = ['observer', 'observer.partial', 'observer.expected'].map(
  (name) => `shared/labels/dist/${name}.test.js`,
)
const PROPERTY = 'test/dist/property/engine.test.js'
const ATTACKS = ['test/dist/attacks/attacks.test.js', 'test/dist/attacks/written-code.test.js']
const WHOLE = ['test/dist/cases/cases.test.js', PROPERTY]
const VERIFIER = 'shared/policy/dist/verify'
/** What knows what a step does to what: of the session's record, and of what patterns ask for. */
const EFFECTS = [
  ...compiled('effects/match effects/effects state/record/effects'),
  'shared/engine/dist/verdict/sources/irreversible.js#isRequest,isOfOwn,behind,isNamed,byName,askedOf,notAskedReason',
  'shared/engine/dist/events/report.js#isAllOwn',
  'shared/engine/dist/spec-rule.js#matchesPattern',
]
/** How the verifier tries what a step may do to what. */
const EFFECTS_TRIED = [
  'shared/policy/dist/specs/patterns.js#compilePattern',
  `${VERIFIER}/model/effect-lists.js`,
  `${VERIFIER}/model/inputs.js#effects,coversAllInputs,proposalOf`,
  `${VERIFIER}/hazards/watches.js#hasEffect,answerOfEffects,createHazardWatch,counts`,
]
/**
 * What is mutated, and the tests that must notice it. A folder means its files without tests and samples; names after a `#` mean these
 * declarations of a file.
 */
const GROUPS = {
  evidence: [
    compiled('state/evidence'),
    [...tested('state/evidence verdict/mode state/inheritance'), PROPERTY],
  ],
  line: [
    compiled('verdict/sources/line verdict/sources/outlet verdict/sources/held'),
    [...tested('verdict/sources/line verdict/sources/outlet verdict/sources/held verdict/judge'), PROPERTY],
  ],
  held: [
    compiled(
      'events/proposed events/report events/run events/sequence events/declassified state/inheritance events/completed',
    ),
    [
      ...tested('verdict/sources/held verdict/mode step state/inheritance state/calls events/declassified'),
      ...tested('events/completed events/approved events/sequence'),
      ...WHOLE,
    ],
  ],
  retries: [
    [
      ...compiled('state/record/record state/record/calls state/record/labels state/record/recent'),
      `${HASHES}.js`,
    ],
    [
      `${HASHES}.test.js`,
      ...tested('state/record/record state/record/limits state/record/layout state/record/recent step'),
      PROPERTY,
    ],
  ],
  effects: [
    EFFECTS,
    [
      ...tested('effects/match effects/effects verdict/sources/irreversible state/record/layout'),
      `${VERIFIER}/verify-policy.specs.test.js`,
      ...['effects', 'policies/policies'].map((name) => `test/dist/property/${name}.test.js`),
    ],
  ],
  verifier: [
    EFFECTS_TRIED,
    [
      ...['verify-policy.specs', 'verify-policy.limits', 'hazards/hazards'].map(
        (name) => `${VERIFIER}/${name}.test.js`,
      ),
      ...['policies', 'verifier'].map((name) => `test/dist/property/policies/${name}.test.js`),
    ],
  ],
  readers: [[READERS], [READERS, ...OBSERVED, ...ATTACKS]],
  fingerprints: [
    [FINGERPRINTS],
    [FINGERPRINTS, 'shared/client/dist/session.relatives.test.js', ...OBSERVED, ...ATTACKS],
  ],
}
/** Tests of how long a reader takes say nothing of what it reads, and take long themselves. */
const SLOW = /(hostile|worst-part|bash)\.test\.js$/
const ENV = { ...process.env, PLIMSOLL_PROPERTY_SEQUENCES: '150', PLIMSOLL_POLICIES: '25' }

const filesOf = (names, isMeant) =>
  names.flatMap((name) => {
    if (/\.js(#|$)/.test(name)) return [name]
    const found = readdirSync(name, { recursive: true }).map((file) => path.join(name, file))
    return found.filter((file) => file.endsWith('.js') && isMeant(file)).sort()
  })
const isTest = (file) => file.endsWith('.test.js') && !SLOW.test(file)
const isCode = (file) => !/\.test\.js$|sample|testing|index\.js$/.test(file)

const TOKEN =
  /\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};>]\s*|return\s+)\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/\w*|[A-Za-z_$][\w$]*|\d[\w.]*|=>|[=!]==?|[<>]=?|&&=?|\|\|=?|\?\?=?|[+\-*/|&^%]=|\+\+|--|[^\s]/g
const SWAPS = new Map(
  '=== !==,!== ===,< <= >=,<= < >,> >= <=,>= > <,&& ||,|| &&,||= &&=,| &,true false,false true,max min,min max,some every,every some'
    .split(',')
    .map((row) => row.split(' '))
    .map(([word, ...swaps]) => [word, swaps]),
)
const STATEMENT =
  /^\s+(?!return|const|let|import|export|if|for|while|else|throw|case|break|continue|yield|function|\})[\w$.[\]?]+(\(.*\)|\s*(=|\+=|-=|\|=|\|\|=|\?\?=)[^=].*|\+\+|--);$/
const RETURN = /^.*?\breturn (?!undefined;)(.+);$/
const ARROW = /^(?:export )?const \w+ = \(.*?\) => (?!\{)(.+);$/

const tokensOf = (text) => [...text.matchAll(TOKEN)].map(({ 0: word, index }) => ({ word, index }))

/** Every change that can be made to `text`: from where to where, and what comes there. */
function changesOf(text) {
  const changes = []
  const add = (from, to, by) => changes.push({ from, to, by })
  const tokens = tokensOf(text)
  for (const [i, { word, index }] of tokens.entries()) {
    const after = tokens[i + 1]?.word
    const end = index + word.length
    for (const swap of SWAPS.get(word) ?? []) add(index, end, swap)
    if (/^\d/.test(word)) add(index, end, word === '0' ? '1' : word === '1' ? '0' : `(${word} + 1)`)
    if (word === '!' && after !== '=') add(index, end, '')
    if (word === 'if' && after === '(') {
      const close = closing(tokens, i + 1)
      for (const by of ['true', 'false']) if (close) add(tokens[i + 1].index, close.index + 1, `(${by})`)
    }
  }
  let at = 0
  for (const line of text.split('\n')) {
    const [returned, arrow, end] = [RETURN.exec(line)?.[1], ARROW.exec(line)?.[1], at + line.length]
    if (STATEMENT.test(line)) add(at, end, ';')
    if (returned) add(end - 1 - returned.length, end - 1, 'undefined')
    if (arrow) add(end - 1 - arrow.length, end - 1, `!(${arrow})`)
    at = end + 1
  }
  return changes
}

/** The changes that take one condition of `text` away. */
function conditionsOf(text) {
  const changes = []
  const add = (from, to, by) => changes.push({ from, to, by })
  const tokens = tokensOf(text)
  const startOf = (at) => tokens[at].index
  const endOf = (at) => tokens[at].index + tokens[at].word.length
  for (const [i, { word, index }] of tokens.entries()) {
    if (word === '&&' || word === '||') {
      const [first, last] = [edgeOf(tokens, i, -1, word), edgeOf(tokens, i, 1, word)]
      add(startOf(first), startOf(i + 1), '')
      add(endOf(i - 1), endOf(last), '')
    }
    if (word === '?' && !isChaining(tokens, i))
      for (const by of ['true', 'false']) add(startOf(edgeOf(tokens, i, -1, '?')), endOf(i - 1), by)
    if (word === '!' && tokens[i + 1]?.word !== '=') add(index, index + 1, '')
    if (word === 'if' && tokens[i + 1]?.word === '(') {
      const close = closing(tokens, i + 1)
      for (const by of ['true', 'false']) if (close) add(startOf(i + 1), close.index + 1, `(${by})`)
    }
  }
  return changes
}

const isChaining = (tokens, i) => tokens[i + 1]?.word === '.' && tokens[i + 1].index === tokens[i].index + 1
const EDGES = new Set('( [ { } , ; = => : return ?? |= &= += -= &&= ||='.split(' '))

/** The last token of an operand, from the operator at `from` in the direction `by`. What binds closer than the operator belongs to it. */
function edgeOf(tokens, from, by, operator) {
  const [opens, closes] = by > 0 ? ['([{', ')]}'] : [')]}', '([{']
  let depth = 0
  for (let i = from + by; ; i += by) {
    const { word } = tokens[i] ?? { word: ';' }
    const isLooser =
      (word === '?' && !isChaining(tokens, i)) ||
      (word === '||' && operator !== '?') ||
      (word === '&&' && operator === '&&')
    if (depth === 0 && (closes.includes(word) || isLooser || EDGES.has(word)) && !opens.includes(word))
      return i - by
    if (opens.includes(word)) depth++
    if (closes.includes(word)) depth--
  }
}

function closing(tokens, from) {
  let depth = 0
  for (let i = from; i < tokens.length; i++) {
    if (tokens[i].word === '(') depth++
    if (tokens[i].word === ')' && --depth === 0) return tokens[i]
  }
  return undefined
}

const print = (line) => process.stdout.write(`${line}\n`)
const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-mutants-'))
const loader = `import { readFileSync } from 'node:fs'
const { MUTANT_URL, MUTANT_SOURCE } = process.env
export const load = (url, context, next) => url === MUTANT_URL
  ? { format: 'module', shortCircuit: true, source: readFileSync(MUTANT_SOURCE, 'utf8') } : next(url, context)`
const asUrl = (text) => `data:text/javascript,${encodeURIComponent(text)}`
const HOOK = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(loader))})`)

/** `passed` if all of a test file does; it is ended at the first test that does not (`failed`), or after `limitMs` (`late`). */
const run = (args, env, limitMs) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { ...ENV, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const end = (outcome) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(outcome)
    }
    const timer = setTimeout(() => end('late'), limitMs)
    child.stdout.on('data', (chunk) => /^\s*not ok/m.test(chunk) && end('failed'))
    child.on('exit', (code) => end(code === 0 ? 'passed' : 'failed'))
  })
const testArgs = (test) => ['--import', HOOK, '--test-reporter=tap', test]

/** Mutants in a seeded order, of each group in turn. */
function* drawn(mutants, seed) {
  let state = seed
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const lists = mutants.map((list) => [...list])
  while (lists.some((list) => list.length > 0))
    for (const list of lists) if (list.length > 0) yield list.splice(next(list.length), 1)[0]
}

function placeOf({ file, text, from, to, by }) {
  const lines = text.slice(0, from).split('\n')
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const { originalSource, originalLine } = map.findEntry(lines.length - 1, lines.at(-1).length)
  const source = originalSource ? path.join(path.dirname(file), originalSource) : file
  return `${source}:${(originalLine ?? lines.length - 1) + 1}: \`${text.slice(from, to).slice(0, 90).replaceAll(/\s+/g, ' ')}\` → \`${by.slice(0, 90)}\``
}

const times = new Map()
const mutants = []
/** The part of `text` that declares `name`; all of it without a name. */
function partOf(text, name) {
  if (name === undefined) return { from: 0, to: text.length }
  const found = new RegExp(`^( *)(?:export )?(?:function|const) ${name}\\b`, 'm').exec(text)
  if (!found) throw new Error(`there is no declaration \`${name}\``)
  const indent = found[1].length
  const lines = text.slice(found.index).split('\n')
  const indentOf = (line) => line.search(/\S|$/)
  const isLast = (line, i) => {
    const next = lines[i + 1] ?? ''
    const isClosing = indentOf(next) === indent && /^\s*[})\]]/.test(next)
    return /[;}]$/.test(line) && indentOf(next) <= indent && !isClosing
  }
  const length = lines.slice(0, lines.findIndex(isLast) + 1).join('\n').length
  return { from: found.index, to: found.index + length }
}

const kindsOfChange = { all: changesOf, conditions: conditionsOf }
const makeChanges = kindsOfChange[options.changes]
if (!makeChanges)
  throw new Error(
    `there are no changes \`${options.changes}\`: expected ${Object.keys(kindsOfChange).join(', ')}`,
  )
const chosen = options.groups === '' ? Object.keys(GROUPS) : options.groups.split(',')
for (const group of chosen) {
  const [files, names] = GROUPS[group] ?? []
  if (!files) throw new Error(`there is no group \`${group}\`: expected ${Object.keys(GROUPS).join(', ')}`)
  const tests = []
  for (const test of filesOf(names, isTest)) {
    const start = Date.now()
    if (!times.has(test))
      times.set(test, (await run(testArgs(test), {}, 300_000)) === 'passed' ? Date.now() - start : undefined)
    if (times.get(test) === undefined) throw new Error(`${test} is not there, or fails without any mutant`)
    tests.push(test)
  }
  tests.sort((a, b) => (a === PROPERTY) - (b === PROPERTY) || times.get(a) - times.get(b))
  mutants.push(
    filesOf(files, isCode).flatMap((each) => {
      const [file, names] = each.split('#')
      const text = readFileSync(file, 'utf8')
      const parts = (names?.split(',') ?? [undefined]).map((name) => partOf(text, name))
      const isMeant = ({ from, to }) => parts.some((part) => from >= part.from && to <= part.to)
      return makeChanges(text)
        .filter(isMeant)
        .map((change) => ({ group, file, text, tests, ...change }))
    }),
  )
}

const [done, queue] = [[], drawn(mutants, Number(options.seed))]
let left = Number(options.sample)

async function work(worker) {
  const source = path.join(folder, `${worker}.mjs`)
  while (left > 0) {
    const { value: mutant } = queue.next()
    if (!mutant) return
    const { file, text, from, to, by } = mutant
    writeFileSync(source, text.slice(0, from) + by + text.slice(to))
    // What is no JavaScript any more is no mutant.
    if (left <= 0 || (await run(['--check', source], {}, 60_000)) !== 'passed') continue
    left--
    const env = { MUTANT_URL: pathToFileURL(path.resolve(file)).href, MUTANT_SOURCE: source }
    let killer
    for (const test of mutant.tests) {
      const outcome = killer ? 'passed' : await run(testArgs(test), env, 5 * times.get(test) + 20_000)
      if (outcome !== 'passed') killer = `${test}${outcome === 'late' ? ' (late)' : ''}`
    }
    done.push({ group: mutant.group, isKilled: killer !== undefined })
    if (!killer) print(`survived ${mutant.group} ${placeOf(mutant)}`)
    else if (options.killers) print(`killed ${mutant.group} ${placeOf(mutant)}: ${killer}`)
  }
}

await Promise.all(Array.from({ length: Number(options.jobs) }, (_, worker) => work(worker)))
rmSync(folder, { recursive: true })
const shareOf = (list) => list.filter(({ isKilled }) => isKilled).length / Math.max(1, list.length)
for (const name of [...chosen, 'all']) {
  const list = done.filter(({ group }) => name === 'all' || group === name)
  const percent = (100 * shareOf(list)).toFixed(1)
  print(`${name}: ${percent}% of ${list.length} mutants killed, seed ${options.seed}`)
}
process.exitCode = shareOf(done) >= Number(options['at-least']) ? 0 : 1
