/** The addresses of pages and headings in MkDocs. */
import { joinPath } from '@octavo/model'

/** Returns the path of the page that a Markdown file becomes. */
export function pagePathOf(file: string): string {
  return file.replace(/\.(?:md|markdown)$/i, '').replace(/(^|\/)README$/, '$1index')
}

/** Returns the address of a page on the old site, without the prefix of the site. */
export function oldUrlOf(path: string, isDirectory: boolean): string {
  const folder = path === 'index' ? '' : path.replace(/\/index$/, '')
  if (path === 'index' || path.endsWith('/index')) {
    const below = folder === '' ? '' : `${folder}/`
    return isDirectory ? `/${below}` : `/${below}index.html`
  }
  return isDirectory ? `/${folder}/` : `/${folder}.html`
}

/** Creates a function that returns the anchors of the headings of one page in Python-Markdown. */
export function createPythonIds(): (text: string) => string {
  const taken = new Set<string>()
  return (text) => {
    let id = pythonSlug(text)
    while (taken.has(id) || id === '') {
      const [, stem = id, number] = /^(.*)_(\d+)$/.exec(id) ?? []
      id = number === undefined ? `${id}_1` : `${stem}_${Number(number) + 1}`
    }
    taken.add(id)
    return id
  }
}

function pythonSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '-')
}

/** Returns the path that a relative address means for a browser at a page of the old site. */
export function resolveUrl(pageUrl: string, url: string): string | undefined {
  const path = joinPath(pageUrl.replace(/[^/]*$/, ''), url)
  return path === undefined ? undefined : `/${path}`
}
