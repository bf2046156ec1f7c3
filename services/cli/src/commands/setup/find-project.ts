import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseJson } from '@plimsoll/contracts'

/** An agent framework that Plimsoll has an adapter for. */
export interface Framework {
  readonly name: string
  /** What its packages are called in npm or PyPI. */
  readonly packages: readonly string[]
  readonly language: 'typescript' | 'python'
  /** What to install, and the line that puts Plimsoll before its tools. */
  readonly next: string
}

const npm = (entry: string, line: string): string =>
  `npm install @plimsoll/client, then \`${line}\` of \`@plimsoll/client/${entry}\``

const pypi = (extra: string, module: string): string =>
  `pip install 'plimsoll[${extra}]', then the adapter of \`plimsoll.${module}\``

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'LangChain, LangGraph',
    packages: ['langchain', '@langchain/core', '@langchain/langgraph'],
    language: 'typescript',
    next: npm('langchain', 'createPlimsollMiddleware(session)'),
  },
  {
    name: 'OpenAI Agents SDK',
    packages: ['@openai/agents'],
    language: 'typescript',
    next: npm('openai-agents', 'createToolGuardrails(session)'),
  },
  {
    name: 'Claude Agent SDK',
    packages: ['@anthropic-ai/claude-agent-sdk'],
    language: 'typescript',
    next: npm('claude-agent', 'createHooks(session)'),
  },
  {
    name: 'Vercel AI SDK',
    packages: ['ai'],
    language: 'typescript',
    next: npm('ai-sdk', 'guardTools(session, tools)'),
  },
  {
    name: 'Mastra',
    packages: ['@mastra/core'],
    language: 'typescript',
    next: npm('mastra', 'createHooks(session)'),
  },
  {
    name: 'LangGraph, LangChain',
    packages: ['langgraph', 'langchain'],
    language: 'python',
    next: pypi('langgraph', 'langgraph'),
  },
  {
    name: 'OpenAI Agents SDK',
    packages: ['openai-agents'],
    language: 'python',
    next: pypi('openai-agents', 'openai_agents'),
  },
  { name: 'CrewAI', packages: ['crewai'], language: 'python', next: pypi('crewai', 'crewai') },
  {
    name: 'Pydantic AI',
    packages: ['pydantic-ai', 'pydantic-ai-slim'],
    language: 'python',
    next: pypi('pydantic-ai', 'pydantic_ai'),
  },
  {
    name: 'Google ADK',
    packages: ['google-adk'],
    language: 'python',
    next: pypi('google-adk', 'google_adk'),
  },
]

export interface FoundFramework extends Framework {
  /** The file that names it. */
  readonly file: string
}

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The frameworks that `package.json`, `pyproject.toml` and `requirements*.txt` of a folder name. */
export async function findFrameworks(folder: string): Promise<readonly FoundFramework[]> {
  const entries = await readdir(folder).catch((): string[] => [])
  const python = entries
    .filter((name) => /^(pyproject\.toml|requirements[\w.-]*\.txt)$/.test(name))
    .toSorted()
  const found = await Promise.all([
    npmPackages(folder).then((packages) => named('typescript', 'package.json', (name) => packages.has(name))),
    ...python.map(async (file) => {
      const text = await read(path.join(folder, file))
      return named('python', file, (name) => isRequired(name, text))
    }),
  ])
  // A framework that two files name counts once.
  return [...new Map(found.flat().map((each) => [each.language + each.name, each])).values()]
}

const named = (
  language: Framework['language'],
  file: string,
  isNamed: (name: string) => boolean,
): FoundFramework[] =>
  FRAMEWORKS.filter((each) => each.language === language && each.packages.some(isNamed)).map((each) => ({
    ...each,
    file,
  }))

async function npmPackages(folder: string): Promise<ReadonlySet<string>> {
  const manifest = parseJson(await read(path.join(folder, 'package.json'))) as
    Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  return new Set(kinds.flatMap((kind) => Object.keys(manifest?.[kind] ?? {})))
}

/** Whether a requirement of that name stands in a text: `name`, `name[extra]>=1`, `"name~=2"`, `name = "^1"`. */
function isRequired(name: string, text: string): boolean {
  const pattern = name.replaceAll('-', '[-_.]')
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, ''))
    .some((line) => new RegExp(`(^|["'\\s,\\[])${pattern}(?=$|["'\\s,;\\[<>=~!])`, 'i').test(line))
}
