import { testPython } from './python-package.js'

await testPython({ modules: ['plimsoll'], tests: ['--ignore', 'tests/frameworks'] })
