import type { IncomingMessage, ServerResponse } from 'node:http'
import { loadHostScripts } from '../../../packages/builder/src/index.ts'

/**
 * Returns a handler for the scripts that a service adds to a site, so that its pages have the
 * assistant. No service answers questions, so the panel only has its first state.
 */
export async function answerAsService() {
  const scripts = await loadHostScripts()
  return ({ url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    const [, language] = /^\/_octavo\/assistant\/.*-([\w-]+)\.js$/.exec(url) ?? []
    const isLoader = url === '/_octavo/host.js'
    if (!isLoader && language === undefined) return false
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    response.end(isLoader ? scripts.loader(scripts.languages) : scripts.panel(language ?? 'en'))
    return true
  }
}
