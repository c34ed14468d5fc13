/** The style sheet and the script of the dashboard, named by what they hold. */
import { createHash } from 'node:crypto'
import { dashboardStyles } from '@octavo/dashboard'

type Asset = { readonly path: string; readonly type: string; readonly text: string }

const FOLDER = '/_octavo/dashboard/'
const FOR_EVER = 'public, max-age=31536000, immutable'
const HASH_LENGTH = 12

export type Assets = {
  readonly paths: () => Promise<{ readonly css: string; readonly script: string }>
  /** Nothing for another path. */
  readonly find: (path: string) => Promise<Response | undefined>
}

/** Compiled when the first page needs them. */
export function createAssets(): Assets {
  let made: Promise<{ readonly css: Asset; readonly script: Asset }> | undefined
  const load = () => {
    made ??= makeAssets()
    made.catch(() => {
      made = undefined
    })
    return made
  }
  return {
    async paths() {
      const { css, script } = await load()
      return { css: css.path, script: script.path }
    },
    async find(path) {
      if (!path.startsWith(FOLDER)) return undefined
      const { css, script } = await load()
      const found = [css, script].find((one) => one.path === path)
      if (found === undefined) return new Response('Not found\n', { status: 404 })
      const headers = { 'content-type': found.type, 'cache-control': FOR_EVER }
      return new Response(found.text, { headers })
    },
  }
}

async function makeAssets() {
  const { loadHostScripts } = await import('@octavo/builder')
  const { dashboard } = await loadHostScripts()
  return {
    css: nameAsset('dashboard', 'css', 'text/css; charset=utf-8', dashboardStyles()),
    script: nameAsset('dashboard', 'js', 'text/javascript; charset=utf-8', dashboard),
  }
}

function nameAsset(name: string, ending: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
  return { path: `${FOLDER}${name}-${hash}.${ending}`, type, text }
}
