import { isAddressInUse, serveHttp, type HttpOptions, type HttpServer } from '@plimsoll/runtime'
import type { Output } from '../command.js'

/** Serves on the port that was asked for, or where that is taken on any that is free, and says so. */
export async function serveOnFreePort(options: HttpOptions, stderr: Output): Promise<HttpServer> {
  try {
    return await serveHttp(options)
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    stderr.write(`port ${options.port} is taken; a free one is used\n`)
    return serveHttp({ ...options, port: 0 })
  }
}
