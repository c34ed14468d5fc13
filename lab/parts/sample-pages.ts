import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a sample of pages from across the site, which is the same in every run. */
export function samplePages(folder: string, pagesMax: number): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:index|404)\.html$/.test(file))
    .filter((file) => !isRedirectPage(join(folder, file)))
    .map((file) => `/${file.replace(/(?:^|\/)index\.html$/, '')}`)
    .toSorted()
  const step = Math.max(1, Math.floor(all.length / pagesMax))
  return all.filter((_, index) => index % step === 0).slice(0, pagesMax)
}

/** Checks whether a file is a redirect, which is not a page. */
function isRedirectPage(file: string): boolean {
  return readFileSync(file, 'utf8').includes('http-equiv="refresh"')
}
