/**
 * The service's own part of every page (`HOST_SCRIPT_PATH` in the model says why there is one), and the
 * panel of the assistant, which it loads.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { HostScripts } from '@octavo/builder'
import { mediaType } from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { FileReply } from './file-reply.ts'
import { encodingOf } from './reader-request.ts'
import { ALWAYS, sendFile } from './send-reply.ts'

export type HostScriptGiver = {
  readonly giveScript: (
    request: IncomingMessage,
    response: ServerResponse,
    site: {
      readonly isPreview: boolean
      readonly hasAssistant: boolean
      readonly hasMcp: boolean
      readonly languages: readonly string[]
    },
  ) => Promise<void>
  /** The panel, or what it loads. False for a name that neither ever had. */
  readonly givePanel: (
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
  ) => Promise<boolean>
}

const PLAIN = '// octavo-service\n'
/**
 * Shows the entries of the page menu that need the MCP server. It is beside the folder of this script, so
 * the base path need not be known.
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
const PANEL = /^panel-[\da-f]{12}-([A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?)\.js$/
const PROOF = /^proof-[\da-f]{12}\.js$/
/** Scripts differ by the languages of a site, panels by that of a page. */
const HELD_MAX = 500
const FOR_EVER = 'public, max-age=31536000, immutable'
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

type HeldFile = { readonly reply: FileReply; readonly bytes: Uint8Array }

export function createHostScriptGiver(): HostScriptGiver {
  const held = new LRUCache<string, Promise<HeldFile>>({ max: HELD_MAX })
  let scripts: Promise<HostScripts> | undefined

  /** Compiled when the first page needs them; a failed compile is not kept. */
  function load(): Promise<HostScripts> {
    scripts ??= import('@octavo/builder').then(({ loadHostScripts }) => loadHostScripts())
    scripts.catch(() => {
      scripts = undefined
    })
    return scripts
  }

  /** Compressed once. */
  async function give(
    request: IncomingMessage,
    response: ServerResponse,
    { name, code, isHashed }: { readonly name: string; code: () => string; isHashed: boolean },
  ): Promise<void> {
    const encoding = encodingOf(request)
    const key = `${name} ${encoding} ${isHashed}`
    const made = held.get(key) ?? hold(code(), encoding, isHashed)
    held.set(key, made)
    const { reply, bytes } = await made
    sendFile(request, response, { reply, bytes })
  }

  return {
    async giveScript(request, response, { isPreview, hasAssistant, hasMcp, languages }) {
      const all = isPreview || hasAssistant ? await load() : undefined
      const spoken = [...new Set(languages)].toSorted()
      const make = () => {
        const own = hasMcp ? MCP_ENTRIES : ''
        if (!hasAssistant) return own + (all?.previewBar ?? PLAIN)
        return own + (all?.[isPreview ? 'previewLoader' : 'loader'](spoken) ?? PLAIN)
      }
      const name = JSON.stringify([isPreview, hasAssistant, hasMcp, hasAssistant && spoken])
      await give(request, response, { name, code: make, isHashed: false })
    },

    async givePanel(request, response, name) {
      if (PROOF.test(name)) {
        const { proof, proofName } = await load()
        const isHashed = name === `${proofName}.js`
        await give(request, response, { name: 'proof', code: () => proof, isHashed })
        return true
      }
      const [, language] = PANEL.exec(name) ?? []
      if (language === undefined) return false
      const { panel, panelName, languages } = await load()
      const spoken = languages.includes(language) ? language : 'en'
      // A page that was open while the service was renewed asks for the one before, and gets this.
      const isHashed = name.startsWith(`${panelName}-`)
      await give(request, response, { name: spoken, code: () => panel(spoken), isHashed })
      return true
    },
  }
}

async function hold(
  code: string,
  encoding: 'br' | 'gzip' | undefined,
  isHashed: boolean,
): Promise<HeldFile> {
  const bytes = encoding === undefined ? Buffer.from(code) : await compress[encoding](code)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const etag = `"${sha256}"`
  const headers = Object.entries({
    ...ALWAYS,
    'content-type': mediaType('host.js'),
    'cache-control': isHashed ? FOR_EVER : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  }).flat()
  const sent = encoding === undefined ? headers : [...headers, 'content-encoding', encoding]
  return {
    reply: { status: 200, sha256, encoding, etag, headers: sent, headersOf304: headers },
    bytes,
  }
}
