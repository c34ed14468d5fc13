/**
 * Serves the service's own script, which every page loads (`HOST_SCRIPT_PATH` in `@octavo/model`
 * explains why), and the assistant panel and feedback form that this script loads.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { HostScripts } from '@octavo/builder'
import { languageTag, mediaType } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import { encodingOf } from '../../platform/http/reader-request.ts'
import { ALWAYS, type PreparedResponse, sendFile } from '../../platform/http/send-response.ts'
import type { SiteExchange } from './site-router.ts'

/** The features of a site that its pages offer to the reader. */
export type ShownParts = {
  readonly isPreview: boolean
  readonly hasAssistant: boolean
  readonly hasMcp: boolean
  /**
   * Whether events of readers are counted. The site's docs.json decides whether pages ask for
   * feedback.
   */
  readonly hasEvents: boolean
  /** Whether pages show which request samples ran. */
  readonly hasProof: boolean
  readonly languages: readonly string[]
  /** Whether the reader is signed in; undefined on a public site. */
  readonly isSignedIn: boolean | undefined
}

/**
 * Shows the entries of the page menu that use the MCP server. Its URL is resolved against the URL
 * of this script, so the base path is not needed.
 */
const MCP_ENTRIES = `const mcp = new URL('../mcp', import.meta.url).href
const showMcp = () => {
  for (const entry of document.querySelectorAll('[data-mcp]')) {
    entry.hidden = false
    const href = entry.getAttribute('href')
    if (href) entry.setAttribute('href', href.replaceAll('%7Bmcp%7D', encodeURIComponent(mcp)))
    else entry.onclick = async () => {
      await navigator.clipboard.writeText(entry.dataset.mcp.replace('{mcp}', mcp))
      const label = entry.querySelector('span')
      const before = label.textContent
      label.textContent = before + ' ✓'
      setTimeout(() => { label.textContent = before }, 2000)
    }
  }
}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showMcp)
else showMcp()
`
const PANEL =
  /^(?:proof-[\da-f]{12}|(panel|feedback)-[\da-f]{12}-([A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?))\.js$/
/**
 * The maximum number of cached files. Scripts depend on the languages of a site, panels on the
 * language of a page.
 */
const CACHED_FILES_MAX = 500
const LANGUAGES_MAX = 200
const IMMUTABLE = 'public, max-age=31536000, immutable'
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

type CachedFile = { readonly reply: PreparedResponse; readonly bytes: Uint8Array }

type ScriptFile = {
  readonly name: string
  readonly code: () => string
  readonly isHashed: boolean
  readonly isPrivate?: boolean
}

/**
 * Checks whether `servePanel` serves a script with this name. Also accepts names from other
 * versions of the service.
 */
export const isPanelName = (name: string) => PANEL.test(name)

export class HostScriptServer {
  readonly #cached = new LRUCache<string, Promise<CachedFile>>({ max: CACHED_FILES_MAX })
  #scripts: Promise<HostScripts> | undefined

  async serveScript(
    request: IncomingMessage,
    response: ServerResponse,
    site: ShownParts,
  ): Promise<void> {
    const { isPreview, hasAssistant, hasMcp, hasEvents, hasProof, languages, isSignedIn } = site
    const isPrivate = isSignedIn !== undefined
    const isMore = isPreview || hasAssistant || hasEvents || hasProof || isPrivate
    const all = isMore ? await this.#load() : undefined
    const spoken = all === undefined ? [] : supportedLanguagesOf(languages, all.languages)
    const rest = () => {
      if (hasAssistant) return all?.[isPreview ? 'previewLoader' : 'loader'](spoken)
      return isPreview ? all?.previewBar : undefined
    }
    const speaks = hasAssistant || hasProof || isPrivate
    const shown = [isPreview, hasAssistant, hasMcp, hasEvents, hasProof, isSignedIn]
    const name = JSON.stringify([...shown, speaks && spoken])
    const code = () =>
      joinScripts([
        hasMcp ? MCP_ENTRIES : undefined,
        hasEvents ? all?.listener : undefined,
        hasProof ? all?.sampleResults(spoken) : undefined,
        isPrivate ? all?.readerLinks(isSignedIn, spoken) : undefined,
        rest(),
      ])
    await this.#serve(request, response, { name, code, isHashed: false, isPrivate })
  }

  /** Serves the assistant panel, a script that the panel loads, or the feedback form. */
  async servePanel({ request, response }: SiteExchange, name: string): Promise<void> {
    const [, kind, language = ''] = PANEL.exec(name) ?? []
    const all = await this.#load()
    const isFeedback = kind === 'feedback'
    const file =
      kind === undefined ? proofOf(all, name) : panelOf(all, name, { isFeedback, language })
    await this.#serve(request, response, file)
  }

  /**
   * Compiles the scripts when they are first needed. A failed compilation is retried on the next
   * request.
   */
  #load(): Promise<HostScripts> {
    this.#scripts ??= import('@octavo/builder').then(({ loadHostScripts }) => loadHostScripts())
    this.#scripts.catch(() => {
      this.#scripts = undefined
    })
    return this.#scripts
  }

  /** Serves a file and compresses it only once. */
  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    { name, code, isHashed, isPrivate = false }: ScriptFile,
  ): Promise<void> {
    const encoding = encodingOf(request)
    const key = `${name} ${encoding} ${isHashed}`
    const caching = isHashed ? IMMUTABLE : isPrivate ? 'private, no-cache' : 'no-cache'
    const made = this.#cached.get(key) ?? hold(code(), encoding, caching)
    this.#cached.set(key, made)
    const { reply, bytes } = await made
    sendFile(request, response, { reply, bytes })
  }
}

/**
 * Returns the current panel, even for a page that was opened before an upgrade and requests the
 * previous panel.
 */
function panelOf(
  all: HostScripts,
  name: string,
  { isFeedback, language }: { readonly isFeedback: boolean; readonly language: string },
): ScriptFile {
  const spoken = all.languages.includes(language) ? language : 'en'
  return {
    name: isFeedback ? `feedback ${spoken}` : spoken,
    code: () => (isFeedback ? all.feedback(spoken) : all.panel(spoken)),
    isHashed: name.startsWith(`${isFeedback ? all.feedbackName : all.panelName}-`),
  }
}

function proofOf({ proof, proofName }: HostScripts, name: string): ScriptFile {
  return { name: 'proof', code: () => proof, isHashed: name === `${proofName}.js` }
}

/**
 * Returns those languages of a site that the scripts are translated into. The list of languages is
 * untrusted.
 */
function supportedLanguagesOf(
  languages: readonly string[],
  known: readonly string[],
): readonly string[] {
  const tags = languages.slice(0, LANGUAGES_MAX).map(languageTag)
  return [...new Set(tags)].filter((tag) => known.includes(tag)).toSorted()
}

/**
 * Joins scripts, and wraps each of them in a function, because minified scripts declare the same
 * one-letter names with `var`. The functions are async because the scripts are modules, which may
 * use top-level await.
 */
function joinScripts(parts: readonly (string | undefined)[]): string {
  const functions = parts.flatMap((part) =>
    part === undefined ? [] : `;(async () => {\n${part}\n})()\n`,
  )
  return `// octavo-service\n${functions.join('')}`
}

async function hold(
  code: string,
  encoding: 'br' | 'gzip' | undefined,
  caching: string,
): Promise<CachedFile> {
  const bytes = encoding === undefined ? Buffer.from(code) : await compress[encoding](code)
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  const headers = Object.entries({
    ...ALWAYS,
    'content-type': mediaType('host.js'),
    'cache-control': caching,
    vary: 'Accept-Encoding',
    etag,
  }).flat()
  const sent = encoding === undefined ? headers : [...headers, 'content-encoding', encoding]
  return {
    reply: { status: 200, etag, headers: sent, headersOf304: headers },
    bytes,
  }
}
