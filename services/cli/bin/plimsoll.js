#!/usr/bin/env node
// npm links a bin when it installs, before anything is built: hence this file, which is always there.
await import('../dist/main.js')
