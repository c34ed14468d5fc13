/** The same pages for other tools. `folder` is a package in which the tool is installed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevTool } from './measure-tool.ts'

const PAGE = 't05/g05/page-00450'

export function vitepress(folder: string, pages: number): DevTool {
  const docs = join(folder, 'docs')
  generate('vitepress', docs, pages)
  mkdirSync(join(docs, '.vitepress'))
  const sidebar = tabsOf(pages).map(({ tab, groups }) => ({
    text: tab,
    items: groups.map(({ group, files }) => ({
      text: group,
      collapsed: true,
      items: files.map((file) => ({ text: file, link: `/${tab}/${group}/${file}` })),
    })),
  }))
  const config = { title: 'Acme Docs', ignoreDeadLinks: true, themeConfig: { sidebar } }
  const text = `export default ${JSON.stringify(config)}\n`
  writeFileSync(join(docs, '.vitepress/config.mjs'), text)
  const bin = join(folder, 'node_modules/.bin/vitepress')
  return {
    ...{ name: `VitePress, ${pages} pages`, cwd: folder, path: `/${PAGE}` },
    command: (port) => [bin, 'dev', 'docs', '--port', `${port}`, '--host', '127.0.0.1'],
    file: join(docs, `${PAGE}.md`),
  }
}

/** The folder has an `astro.config.mjs` with Starlight in it. */
export function starlight(folder: string, pages: number): DevTool {
  const docs = join(folder, 'src/content/docs')
  generate('starlight', docs, pages)
  const bin = join(folder, 'node_modules/.bin/astro')
  return {
    ...{ name: `Starlight, ${pages} pages`, cwd: folder, path: `/${PAGE}/` },
    command: (port) => [bin, 'dev', '--port', `${port}`, '--host', '127.0.0.1'],
    file: join(docs, `${PAGE}.mdx`),
  }
}

function generate(flavor: string, out: string, pages: number): void {
  rmSync(out, { recursive: true, force: true })
  const script = join(import.meta.dirname, '../site/pages.mjs')
  const args = [script, '--n', `${pages}`, '--out', out, '--flavor', flavor]
  execFileSync(process.execPath, args)
}

type Tab = {
  readonly tab: string
  readonly groups: readonly { readonly group: string; readonly files: readonly string[] }[]
}

function tabsOf(pages: number): readonly Tab[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const pad = (number: number, length: number) => String(number + 1).padStart(length, '0')
  return numbers(Math.ceil(pages / 100)).map((tab) => ({
    tab: `t${pad(tab, 2)}`,
    groups: numbers(10).map((group) => ({
      group: `g${pad(group, 2)}`,
      files: numbers(10).map((page) => `page-${pad(tab * 100 + group * 10 + page, 5)}`),
    })),
  }))
}
