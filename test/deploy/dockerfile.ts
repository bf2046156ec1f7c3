/** What a Dockerfile of ours says. Only the instructions that it uses are known: another one is an error, not a step left out. */
export interface Stage {
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

export type Step =
  | {
      readonly kind: 'COPY'
      readonly from: string | undefined
      readonly sources: readonly string[]
      readonly target: string
    }
  | { readonly kind: 'RUN'; readonly script: string }
  | { readonly kind: 'WORKDIR'; readonly folder: string }

/** How the image is run. */
export interface Launch {
  readonly env: ReadonlyMap<string, string>
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly ports: readonly number[]
}

export interface Dockerfile {
  readonly bases: readonly string[]
  readonly stages: readonly Stage[]
  /** Of the last stage. */
  readonly launch: Launch
}

export function parseDockerfile(text: string): Dockerfile {
  const bases: string[] = []
  const stages: { name: string | undefined; steps: Step[] }[] = []
  let launch = emptyLaunch()
  for (const [word, rest] of instructionsOf(text)) {
    const stage = stages.at(-1)
    if (word === 'FROM') {
      const [base = '', as, name] = rest.split(/\s+/)
      bases.push(base)
      stages.push({ name: as === 'AS' ? name : undefined, steps: [] })
      launch = emptyLaunch()
    } else if (!stage) throw new Error(`\`${word}\` before FROM`)
    else if (word === 'COPY') stage.steps.push(parseCopy(rest))
    else if (word === 'RUN') stage.steps.push({ kind: 'RUN', script: rest })
    else if (word === 'WORKDIR') stage.steps.push({ kind: 'WORKDIR', folder: rest })
    else launch = withLaunch(launch, word, rest)
  }
  return { bases, stages, launch }
}

const emptyLaunch = (): Launch => ({
  env: new Map(),
  user: 'root',
  entrypoint: [],
  command: [],
  health: [],
  ports: [],
})

function instructionsOf(text: string): readonly (readonly [string, string])[] {
  return text
    .replaceAll(/^\s*#.*\n?/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [word = ''] = line.split(/\s/, 1)
      return [word, line.slice(word.length).trim()] as const
    })
}

function parseCopy(rest: string): Step {
  const words = rest.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop()
  if (target === undefined || words.length === 0 || words[0]?.startsWith('--'))
    throw new Error(`COPY ${rest}`)
  return { kind: 'COPY', from, sources: words, target }
}

function withLaunch(launch: Launch, word: string, rest: string): Launch {
  switch (word) {
    case 'ENV': {
      const [name = '', value = ''] = rest.split(/=(.*)/s)
      return { ...launch, env: new Map([...launch.env, [name, value]]) }
    }
    case 'USER':
      return { ...launch, user: rest }
    case 'EXPOSE':
      return { ...launch, ports: [...launch.ports, Number(rest)] }
    case 'HEALTHCHECK':
      return { ...launch, health: execForm(rest.replace(/^.*?\bCMD\s/, '')) }
    case 'ENTRYPOINT':
      return { ...launch, entrypoint: execForm(rest) }
    case 'CMD':
      return { ...launch, command: execForm(rest) }
    default:
      throw new Error(`no such instruction is known here: ${word} ${rest}`)
  }
}

/** A list in JSON: in the shell's form it would be a shell that signals reach. */
const execForm = (text: string): readonly string[] => JSON.parse(text) as readonly string[]
