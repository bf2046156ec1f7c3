export { openApiDocument } from './openapi.js'
export { checkPlugin } from './plugin.js'
