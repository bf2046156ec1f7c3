import { PlimsollError } from '@plimsoll/contracts'
import type { FastifyInstance } from 'fastify'
import { assertExact } from './exact-json.js'

/**
 * Reads bodies as JSON in UTF-8 and refuses what is not, and what would be read as something else than was sent: read leniently, what is judged
 * would not be what runs. Names that could change an object's prototype are refused too.
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
  try {
    return assertExact(typeof body === 'string' ? Buffer.from(body) : body)
  } catch (error) {
    if (error instanceof PlimsollError) return error
    throw error
  }
}
