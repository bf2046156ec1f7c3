/** `npm start`: the main job with a fleet of scripted agents, on nothing but Node. Arguments go to `plimsoll up`. */
import { prepare } from './prepare.mjs'
import { runMain } from './run-main.mjs'

const args = process.argv.slice(2)
await prepare(['services/cli'], 'services/cli')
await runMain('services/cli/dist/main.js', ['up', ...args])
