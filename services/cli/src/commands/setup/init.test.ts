import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { proposeLabels } from '@plimsoll/labels'
import { defaultDocuments, parseDocument } from '@plimsoll/policy'
import { catalogueText } from '../documents/catalogue-text.js'
import { findFrameworks } from './find-project.js'
import { observeSamples, sampleArguments } from './sample-steps.js'

const PROJECTS: readonly { file: string; text: string; found: readonly string[] }[] = [
  { file: 'package.json', text: '{ "dependencies": { "ai": "^7" } }', found: ['Vercel AI SDK'] },
  {
    file: 'package.json',
    text: '{ "devDependencies": { "@langchain/core": "1", "@openai/agents": "*" } }',
    found: ['LangChain, LangGraph', 'OpenAI Agents SDK'],
  },
  { file: 'package.json', text: '{ "dependencies": { "aim": "1" } }', found: [] },
  { file: 'package.json', text: 'not JSON', found: [] },
  { file: 'requirements.txt', text: 'langgraph==1.0\n# crewai\n', found: ['LangGraph, LangChain'] },
  { file: 'requirements-dev.txt', text: 'Google_ADK>=1 ; python_version>"3.9"', found: ['Google ADK'] },
  { file: 'pyproject.toml', text: 'dependencies = ["pydantic-ai-slim[openai]"]', found: ['Pydantic AI'] },
  {
    file: 'pyproject.toml',
    text: '[tool.poetry.dependencies]\nopenai-agents = "^1"',
    found: ['OpenAI Agents SDK'],
  },
  {
    file: 'pyproject.toml',
    text: 'dependencies = ["openai-agents-extra", "langchain-community"]',
    found: [],
  },
]
for (const { file, text, found } of PROJECTS)
  test(`${file} with ${text.trim()}: ${found.join(' and ') || 'no framework'}`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-project-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(path.join(folder, file), text)
    const frameworks = await findFrameworks(folder)
    assert.deepEqual(
      frameworks.map(({ name }) => name),
      found,
    )
    assert.ok(frameworks.every((each) => each.file === file && each.next.includes('plimsoll')))
  })

test('samples fit the schema of a tool', () => {
  const inputSchema = {
    type: 'object',
    required: ['to', 'count', 'mode', 'tags', 'inner'],
    properties: {
      to: { type: 'string' },
      body: { type: 'string' },
      count: { type: 'integer', minimum: 3 },
      mode: { enum: ['fast', 'slow'] },
      tags: { type: 'array', items: { type: 'string' } },
      inner: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
      left: { type: 'number' },
    },
  }
  assert.deepEqual(sampleArguments({ name: 'send', inputSchema }, 'text'), {
    to: 'ann@example.com',
    body: 'text',
    count: 3,
    mode: 'fast',
    tags: ['text'],
    inner: { url: 'https://example.com/page' },
  })
  assert.deepEqual(sampleArguments({ name: 'none' }, 'text'), {})
})

test('samples show what would be asked and blocked: a leak is, a read is not', async () => {
  const catalogue: Catalogue = {
    schema: 1,
    kind: 'plimsoll.catalogue',
    name: 'own',
    tools: [
      {
        tools: ['our_read'],
        labels: {
          capability: 'read',
          confidentiality: 'none',
          trust: 'trusted',
          reversibility: 'reversible',
        },
      },
      {
        tools: ['our_post'],
        labels: {
          capability: 'network',
          confidentiality: 'none',
          trust: 'trusted',
          reversibility: 'partial',
        },
      },
    ],
  }
  const inputSchema = { type: 'object', properties: { body: { type: 'string' } } }
  const tools = ['our_read', 'our_post', 'zap'].map((name) => ({ name, inputSchema }))
  const [read, post, unknown] = await observeSamples(tools, await defaultDocuments({ catalogue }))
  assert.deepEqual([read?.alone.verdict, read?.afterRead], ['allow', undefined])
  assert.deepEqual([post?.alone.verdict, post?.afterRead?.verdict], ['allow', 'block'])
  assert.match(post?.afterRead?.why ?? '', /sensitive/)
  assert.equal(unknown?.alone.verdict, 'confirm')
})

test('proposes the folder as a world, and leaves to the user what only they know', async () => {
  const text = catalogueText('own', proposeLabels([]), [], '/srv/app')
  const { world } = parseDocument('catalogue', text, 'catalogue.yaml')
  assert.deepEqual(world, { folder: '/srv/app' })
  assert.match(text, /^ {2}# disposable: true\n {2}# network: none$/m)
})
