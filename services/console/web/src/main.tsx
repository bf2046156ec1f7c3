import { render } from 'preact'
import { takeToken } from './api/token.js'
import { App } from './app.js'

const token = takeToken()
const root = document.querySelector('#app')
if (root !== null) render(<App {...(token !== undefined && { token })} />, root)
