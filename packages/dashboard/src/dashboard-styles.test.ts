import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dashboardStyles } from './dashboard-styles.ts'

test('the stylesheet has the tokens and colors of sites, and all dashboard styles', () => {
  const styles = dashboardStyles('@font-face{font-family:Inter;src:url(inter.woff2)}')
  expect(styles).toMatch(/--oct-primary:light-dark\(#\w+,#\w+\)/)
  expect(styles).toContain('--oct-radius-large: 0.75rem')
  expect(styles).toContain('url(inter.woff2)')
  const folder = new URL('./styles/', import.meta.url)
  for (const name of readdirSync(folder))
    expect(styles, name).toContain(readFileSync(new URL(name, folder), 'utf8'))
})

test('the stylesheet loads only its own fonts', () => {
  const urls = [...dashboardStyles().matchAll(/url\(([^)]*)\)/g)].map(([, url = '']) => url)
  expect(urls.filter((url) => !url.startsWith('"data:image/svg+xml,'))).toEqual([])
})
