/** Names the parts of a Docusaurus site that are not moved: blogs, pages in React, translations. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { asValues, type Values } from '../site/values.ts'
import type { DocusaurusConfig } from './read-config.ts'
import type { DocusaurusInput } from './read-docusaurus.ts'

/** Returns the paths of the old site below which its pages are not moved. */
export function leftPages(config: DocusaurusConfig, input: DocusaurusInput): readonly string[] {
  const { preset, plugins, base } = config
  const blogs = [
    ...(preset.blog === false ? [] : [asValues(preset.blog)]),
    ...plugins.filter(({ name }) => name === 'content-blog').map(({ options }) => options),
  ]
  reportLocales(config, input)
  return [
    ...blogs.flatMap((options) => leftBlog(options, base, input)),
    ...leftReactPages(posix.join(base, 'src/pages'), input),
  ]
}

function leftBlog(options: Values, base: string, input: DocusaurusInput): readonly string[] {
  const path = typeof options.path === 'string' ? options.path : 'blog'
  const folder = joinPath(base, path.startsWith('.') ? path : `./${path}`) ?? 'blog'
  const route = typeof options.routeBasePath === 'string' ? options.routeBasePath : 'blog'
  const posts = input.folder.files.filter(
    (file) => file.startsWith(`${folder}/`) && /\.mdx?$/.test(file),
  )
  if (posts.length === 0) return []
  input.report.leave(
    `The blog with ${posts.length} files was not moved. Links to it lead to the old site.`,
    { file: folder, line: 1 },
  )
  const plain = route.replaceAll(/^\/+|\/+$/g, '')
  return plain === '' ? [] : [`/${plain}`]
}

function leftReactPages(
  folder: string,
  { folder: { files }, report }: DocusaurusInput,
): readonly string[] {
  const pages = files.filter(
    (file) => file.startsWith(`${folder}/`) && /\.(?:mdx?|jsx?|tsx?)$/.test(file),
  )
  if (pages.length === 0) return []
  report.leave(
    `The ${pages.length} files with pages and components in React were not moved, such as the start page. Write a start page in \`index.mdx\`.`,
    { file: folder, line: 1 },
  )
  return pages.flatMap((file) => {
    const path = file
      .slice(folder.length)
      .replace(/\.\w+$/, '')
      .replace(/\/index$/, '')
    return path === '' || /\/_|\.test$/.test(path) ? [] : [path]
  })
}

function reportLocales(
  { values, base }: DocusaurusConfig,
  { folder, report }: DocusaurusInput,
): void {
  const { defaultLocale } = asValues(values.i18n)
  const root = `${posix.join(base, 'i18n')}/`
  const files = folder.files.filter((file) => file.startsWith(root) && /\.mdx?$/.test(file))
  const locales = Map.groupBy(files, (file) => file.slice(root.length).split('/')[0] ?? '')
  for (const [locale, found] of locales)
    if (locale !== defaultLocale)
      report.leave(
        `The translation \`${locale}\` with ${found.length} files was not moved. Put its pages into a folder, and list them in \`navigation.languages\`.`,
        { file: `${root}${locale}`, line: 1 },
      )
}
