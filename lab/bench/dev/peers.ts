/** Writes the same pages for other tools. `folder` is a package in which the tool is installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
    name: `VitePress, ${printCount(pages)} pages`,
    cwd: folder,
    path: `/${PAGE}`,
    command: (port) => [bin, 'dev', 'docs', '--port', `${port}`, '--host', '127.0.0.1'],
    file: join(docs, `${PAGE}.md`),
  }
}

export function starlight(folder: string, pages: number): DevTool {
  const made = mkdtempSync(join(tmpdir(), 'octavo-bench-starlight-'))
  const script = join(import.meta.dirname, '../site/make-site.mjs')
  const args = [script, '--tool', 'starlight', '--pages', `${pages}`, '--out', made]
  execFileSync(process.execPath, args)
  // Astro resolves its packages only from its own folder, so the pages go there.
  for (const old of ['src', '.astro', 'node_modules/.astro', 'node_modules/.vite']) {
    rmSync(join(folder, old), { recursive: true, force: true })
  }
  for (const part of ['src', 'astro.config.mjs']) {
    cpSync(join(made, part), join(folder, part), { recursive: true })
  }
  rmSync(made, { recursive: true })
  const bin = join(folder, 'node_modules/.bin/astro')
  return {
    name: `Starlight, ${printCount(pages)} pages`,
    cwd: folder,
    path: `/${PAGE}/`,
    command: (port) => [bin, 'dev', '--port', `${port}`, '--host', '127.0.0.1'],
    file: join(folder, 'src/content/docs', `${PAGE}.mdx`),
  }
}

export function printCount(pages: number): string {
  return pages.toLocaleString('en-US')
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
