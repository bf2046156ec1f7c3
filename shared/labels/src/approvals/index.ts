export { argumentLines, stepLines } from './step-lines.js'
export { visibleText } from './visible-text.js'
