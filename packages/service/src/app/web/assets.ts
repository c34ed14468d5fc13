/** The dashboard's style sheet, script and typeface, with a content hash in their names. */
import { createHash } from 'node:crypto'
import { dashboardStyles } from '@octavo/dashboard'

type Asset = {
  readonly path: string
  readonly type: string
  readonly body: string | Buffer<ArrayBuffer>
}

export const ASSETS_FOLDER = '/_octavo/dashboard/'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const HASH_LENGTH = 12

export type Assets = {
  readonly paths: () => Promise<{ readonly css: string; readonly script: string }>
  readonly answer: (request: Request) => Promise<Response>
}

/** Compiles the assets when the first page needs them. */
export function createAssets(): Assets {
  let made: ReturnType<typeof makeAssets> | undefined
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
    async answer(request) {
      const { pathname } = new URL(request.url)
      const { css, script, fonts } = await load()
      const found = [css, script, ...fonts].find(({ path }) => path === pathname)
      if (found === undefined) return new Response('Not found\n', { status: 404 })
      const headers = { 'content-type': found.type, 'cache-control': IMMUTABLE }
      return new Response(found.body, { headers })
    },
  }
}

async function makeAssets() {
  const { loadHostScripts, typefaceFiles } = await import('@octavo/builder')
  const { dashboard } = await loadHostScripts()
  const { styles, files } = typefaceFiles()
  return {
    css: nameAsset('css', 'text/css; charset=utf-8', dashboardStyles(styles)),
    script: nameAsset('js', 'text/javascript; charset=utf-8', dashboard),
    fonts: files.map(
      ({ name, bytes }): Asset => ({
        path: ASSETS_FOLDER + name,
        type: 'font/woff2',
        body: Buffer.from(bytes),
      }),
    ),
  }
}

function nameAsset(ending: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH)
  return { path: `${ASSETS_FOLDER}dashboard-${hash}.${ending}`, type, body }
}
