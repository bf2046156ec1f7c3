import { render } from 'preact'
import { takeCode } from './api/login.js'
import { App } from './app.js'

const code = takeCode()
const root = document.querySelector('#app')
if (root !== null) render(<App {...(code !== undefined && { code })} />, root)
