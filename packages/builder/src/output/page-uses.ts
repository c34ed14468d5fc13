import type { PageFacts } from '../compile/page-facts.ts'
import { resolvePageLink } from '../compile/page-links.ts'
import { STATIC_FILE } from '../plan/site-paths.ts'

/**
 * Returns the files of the repository that a page uses: images, downloads and component code. Some
 * of them may not exist.
 */
export function filesUsedBy({ files, links, islands = [] }: PageFacts): readonly string[] {
  const linked = links.flatMap(({ url, file }) => {
    const path = resolvePageLink(url, file).replace(/[?#].*$/s, '')
    return path.startsWith('/') && !path.startsWith('//') ? [decode(path.slice(1))] : []
  })
  const used = new Set([...files, ...linked].filter((path) => STATIC_FILE.test(path)))
  return [...used, ...islands]
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
