import { PlimsollError } from '@plimsoll/contracts'
import type { FastifyInstance } from 'fastify'
import { depthOfJson } from './json-depth.js'

/** How deep a body may be: arguments of tools are a few levels deep, and what is digested is gone down into. */
export const BODY_DEPTH_MAX = 128

/**
 * Reads bodies as JSON in UTF-8 and refuses what is not: read leniently, what is judged would not be what runs. Names that could change
 * an object's prototype are refused too.
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(body)
    if (text instanceof PlimsollError) return done(text)
    void parse(request, text, (error, value) =>
      error
        ? done(new PlimsollError('not_json', `the body is not JSON: ${error.message}`))
        : done(null, value),
    )
  })
}

function textOf(body: string | Buffer): string | PlimsollError {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (depthOfJson(bytes) > BODY_DEPTH_MAX)
    return new PlimsollError('schema_invalid', `the body is more than ${BODY_DEPTH_MAX} levels deep`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new PlimsollError('not_json', 'the body is not UTF-8')
  }
}
