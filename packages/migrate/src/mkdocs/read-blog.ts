/** Reads the blog of Material for MkDocs: the addresses of posts come from their dates. */

import { joinPath } from '@octavo/model'
import { asValues, type Values } from '../site/values.ts'
import { readNamed } from './read-config.ts'

export type Blog = {
  readonly folder: string
  readonly isPost: (file: string) => boolean
  /** Returns the path of the page of a post. */
  readonly pathOf: (file: string, meta: Values, title: string) => string
}

export function readBlogs(plugins: unknown): readonly Blog[] {
  const named = [...readNamed(plugins)].filter(([name]) =>
    /^(?:material\/)?blog(?: #.*)?$/.test(name),
  )
  return named.map(([, options]) => createBlog(options))
}

function createBlog(options: Values): Blog {
  const text = (key: string, otherwise: string) =>
    typeof options[key] === 'string' ? (options[key] as string) : otherwise
  const folder = joinPath('', text('blog_dir', 'blog')) ?? 'blog'
  const posts = joinPath('', text('post_dir', '{blog}/posts').replace('{blog}', folder)) ?? ''
  const format = text('post_url_format', '{date}/{slug}')
  const dateFormat = text('post_url_date_format', 'yyyy/MM/dd')
  return {
    folder,
    isPost: (file) => file.startsWith(`${posts}/`),
    pathOf: (file, meta, title) => {
      const name = file.split('/').at(-1)?.replace(/\.md$/, '') ?? ''
      const slug = typeof meta.slug === 'string' ? meta.slug : blogSlug(title)
      const categories = Array.isArray(meta.categories) ? meta.categories.map(String) : []
      const path = format
        .replace('{date}', formatDate(dateOf(meta), dateFormat))
        .replace('{slug}', slug)
        .replace('{file}', name)
        .replace('{categories}', categories.map(blogSlug).join('/'))
      return joinPath(folder, `./${path}`) ?? `${folder}/${name}`
    },
  }
}

/** Returns the date of a post as `2026-01-31`; empty if it has none. */
export function dateOf(meta: Values): string {
  const { date } = meta
  const written = typeof date === 'object' ? asValues(date).created : date
  return /^\d{4}-\d{2}-\d{2}/.exec(String(written ?? ''))?.[0] ?? ''
}

function formatDate(date: string, format: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return format.replace('yyyy', year).replace('MM', month).replace('dd', day)
}

function blogSlug(title: string): string {
  return title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(/\s/g, '-')
}
