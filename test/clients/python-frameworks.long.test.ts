/** Each adapter on its real framework. Some bring a gigabyte of packages, and not all of them fit into one environment. */
import { testPython } from './python-package.js'

for (const extra of ['langgraph', 'openai-agents', 'crewai', 'pydantic-ai', 'google-adk']) {
  const framework = extra.replace('-', '_')
  await testPython({ extra, framework, modules: [`plimsoll.${framework}`], tests: ['tests/frameworks'] })
}
