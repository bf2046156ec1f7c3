import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { java, javaMissing } from '../components/java.js'
import { mavenJars } from '../components/maven-jars.js'
import { projectRoot } from '../paths.js'

const run = promisify(execFile)
const files = path.join(projectRoot, 'test/support/alloy')
const jars = () => mavenJars('alloy', 'the Alloy Analyzer', files)

/** What the Analyzer found for each command of a module, by its name: `sat` where there is an instance, or a counterexample. */
export type Answers = ReadonlyMap<string, 'sat' | 'unsat'>

/** Why the Analyzer cannot be run here; undefined if it can. */
export const alloyMissing = async (): Promise<string | undefined> =>
  (await javaMissing()) ?? (await jars().missing())

/** Has the real Alloy Analyzer execute every command of each of `modules`, all in one process of Java. */
export async function askAlloy(modules: readonly string[]): Promise<readonly Answers[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'plimsoll-alloy-'))
  try {
    const classpath = await compileInto(directory, await jars().ensure())
    const written = modules.map((text, i) => {
      const file = path.join(directory, `module-${i + 1}.als`)
      writeFileSync(file, text)
      return file
    })
    return await answersTo(written, classpath)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compileInto(directory: string, jarDirectory: string): Promise<string> {
  const jarFiles = path.join(jarDirectory, '*')
  const compiler = ['-cp', jarFiles, 'org.eclipse.jdt.internal.compiler.batch.Main', '-17', '-proc:none']
  const [alloy, classes] = [
    `org.alloytools.alloy.dist-${jars().version}.jar`,
    path.join(directory, 'classes'),
  ]
  const sources = [
    '-cp',
    path.join(jarDirectory, alloy),
    '-d',
    classes,
    path.join(files, 'AnswerModules.java'),
  ]
  await run(java(), [...compiler, ...sources], { timeout: 120_000 })
  return [classes, jarFiles].join(path.delimiter)
}

async function answersTo(written: readonly string[], classpath: string): Promise<readonly Answers[]> {
  // Most of the work is done once a module: a compiler that thinks longer takes more than it gives.
  const jvm = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true']
  const flags = [...jvm, '-cp', classpath]
  // The Analyzer tells of each of its steps on stderr.
  const child = spawn(java(), [...flags, 'AnswerModules'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  child.stdin.on('error', () => undefined)
  child.stdin.end(written.map((file) => `${file}\n`).join(''))
  const modules: Answers[] = []
  let answers = new Map<string, 'sat' | 'unsat'>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [command = '', answer = ''] = line.split('\t')
    if (command === 'error') throw new Error(`the Analyzer on module ${modules.length + 1}: ${answer}`)
    if (answer === 'sat' || answer === 'unsat') answers.set(command, answer)
    if (command !== 'done') continue
    modules.push(answers)
    answers = new Map()
  }
  const [code] = (await exit) as [number | null]
  if (code !== 0 || modules.length !== written.length)
    throw new Error(`the Analyzer answered ${modules.length} of ${written.length} modules (exit ${code})`)
  return modules
}
