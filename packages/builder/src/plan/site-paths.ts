import { OWN_FOLDER } from './own-folder.ts'

/**
 * Matches files that are served unchanged. JSON and YAML files are served only if they are
 * specifications.
 */
export const STATIC_FILE =
  /\.(?:png|jpe?g|gif|webp|avif|ico|svg|bmp|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|txt|xml|csv|zip|gz|woff2?|ttf|otf|eot|css|js|lottie|wasm)$/i

export const FULL_TEXT = 'llms-full.txt'
/** The archive with all pages as Markdown, for download. */
export const MARKDOWN_ARCHIVE = 'markdown.zip'
export const LLMS_FOLDER = '_llms'

/** Paths that every site has. A page or a folder with one of these names would conflict. */
export const SITE_FILES = [
  '404.html',
  'llms.txt',
  FULL_TEXT,
  MARKDOWN_ARCHIVE,
  LLMS_FOLDER,
  'sitemap.xml',
  'robots.txt',
  '_headers',
  '_redirects',
  OWN_FOLDER,
]

/**
 * Returns the HTML file of a page: `guides/start/index.html` for `guides/start`, so that any host
 * serves it at `/guides/start`.
 */
export function htmlPath(path: string): string {
  return path === 'index' ? 'index.html' : `${path}/index.html`
}

export function markdownPath(path: string): string {
  return `${path}.md`
}

export function feedPath(path: string): string {
  return `${path}/rss.xml`
}
