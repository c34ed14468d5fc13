/**
 * Our own checks of what an agent needs from a hosted site. Each check returns the problem, or
 * undefined if it passed.
 */
import { createHash } from 'node:crypto'

export type HostedSite = {
  /** An origin such as `https://example.com`, without a trailing slash. */
  readonly url: string
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
  /** Paths of the pages in the sitemap. */
  readonly pages: readonly string[]
}

export type ReadinessCheck = {
  readonly name: string
  /** Runs the check; returns `n/a` if it does not apply to the site. */
  readonly run: (site: HostedSite) => Promise<string | 'n/a' | undefined>
}

const LENGTH_MAX = 50_000
const TOP_MAX = 400

export const READINESS_CHECKS: readonly ReadinessCheck[] = [
  {
    name: 'robots.txt lets agents in and names the sitemap',
    run: async ({ get, url }) => {
      const text = await (await get('/robots.txt')).text()
      if (!text.includes('Allow: /')) return 'no crawler is allowed'
      return text.includes(`Sitemap: ${url}/sitemap.xml`) ? undefined : 'the sitemap is not named'
    },
  },
  {
    name: 'every page of the sitemap is there',
    run: (site) => everyPage(site, async (response) => (response.ok ? undefined : 'is missing')),
  },
  {
    name: 'llms.txt has a title and links to Markdown',
    run: async ({ get }) => {
      const text = await (await get('/llms.txt')).text()
      if (!text.startsWith('# ')) return 'it has no title'
      return linksOf(text).length > 0 ? undefined : 'it has no links'
    },
  },
  {
    name: 'no list is longer than 50,000 characters',
    run: async (site) => {
      const lists = await allLists(site)
      const long = lists.find(({ text }) => text.length > LENGTH_MAX)
      return long && `${long.url} has ${long.text.length} characters`
    },
  },
  {
    name: 'every page is in a list',
    run: async (site) => {
      const listed = new Set((await allLists(site)).flatMap(({ text }) => linksOf(text)))
      const missing = site.pages.find((path) => !listed.has(site.url + markdownOf(path)))
      return missing && `${missing} is in none`
    },
  },
  {
    name: 'every link of a list leads to something',
    run: async (site) => {
      const links = new Set((await allLists(site)).flatMap(({ text }) => linksOf(text)))
      for (const link of links) {
        if (!link.startsWith(`${site.url}/`)) return `${link} is not whole`
        const { status } = await site.get(link.slice(site.url.length))
        if (status !== 200) return `${link}: ${status}`
      }
      return undefined
    },
  },
  {
    name: 'every page has Markdown at its address with .md',
    run: (site) =>
      everyMarkdown(site, async (response) =>
        /^text\/markdown/.test(response.headers.get('content-type') ?? '')
          ? undefined
          : 'is not Markdown',
      ),
  },
  {
    name: 'a request for Markdown gets it, with a Vary header',
    run: (site) =>
      everyPage(
        site,
        async (response) => {
          if (!/^text\/markdown/.test(response.headers.get('content-type') ?? '')) return 'is HTML'
          return /\baccept\b/i.test(response.headers.get('vary') ?? '') ? undefined : 'has no Vary'
        },
        { accept: 'text/markdown' },
      ),
  },
  {
    name: 'an agent that takes HTML too gets Markdown, a browser HTML',
    run: async ({ get }) => {
      const type = async (accept: string) =>
        (await get('/', { accept })).headers.get('content-type') ?? ''
      if (!(await type('text/markdown, text/html, */*')).startsWith('text/markdown'))
        return 'the agent gets HTML'
      const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
      return (await type(browser)).startsWith('text/html') ? undefined : 'the browser gets Markdown'
    },
  },
  {
    name: 'no Markdown is longer than 50,000 characters',
    run: (site) =>
      everyMarkdown(site, async (response) => {
        const { length } = await response.text()
        return length <= LENGTH_MAX ? undefined : `has ${length} characters`
      }),
  },
  {
    name: 'Markdown begins with the way to llms.txt',
    run: (site) =>
      everyMarkdown(site, async (response) =>
        (await response.text()).slice(0, TOP_MAX).includes('/llms.txt')
          ? undefined
          : 'does not say it',
      ),
  },
  {
    name: 'the body of a page begins with the way to llms.txt',
    run: (site) =>
      everyPage(site, async (response) => {
        const html = await response.text()
        const body = html.slice(html.indexOf('<body'))
        return body.slice(0, 2 * TOP_MAX).includes('/llms.txt') ? undefined : 'does not say it'
      }),
  },
  {
    name: 'Markdown says how many tokens it takes',
    run: (site) =>
      everyMarkdown(site, async (response) =>
        Number(response.headers.get('x-markdown-tokens')) > 0 ? undefined : 'does not say it',
      ),
  },
  {
    name: 'Link headers lead to files that there are',
    run: async ({ get }) => {
      const link = (await get('/')).headers.get('link') ?? ''
      const targets = [...link.matchAll(/<([^>]+)>; rel="([\w-]+)"/g)]
      if (!targets.some(([, , rel]) => rel === 'llms-txt')) return 'llms.txt is not named'
      for (const [, target = ''] of targets) {
        if (!(await get(target)).ok) return `${target} is missing`
      }
      return undefined
    },
  },
  {
    name: 'llms-full.txt has all pages',
    run: async ({ get, url, pages }) => {
      const text = await (await get('/llms-full.txt')).text()
      const missing = pages.find((path) => !text.includes(`\nSource: ${url}${path}\n`))
      return missing && `${missing} is not in it`
    },
  },
  {
    name: 'the API catalog leads to descriptions of the APIs',
    run: async ({ get, url }) => {
      const response = await get('/.well-known/api-catalog')
      if (response.status === 404) return 'n/a'
      if (!/^application\/linkset\+json/.test(response.headers.get('content-type') ?? ''))
        return 'it is no link set'
      const { linkset } = (await response.json()) as {
        readonly linkset: readonly { readonly 'service-desc': readonly { href: string }[] }[]
      }
      for (const { href } of linkset.flatMap((one) => one['service-desc'])) {
        if (!(await get(href.replace(url, ''))).ok) return `${href} is missing`
      }
      return undefined
    },
  },
  {
    name: 'skills have the digests that the index says',
    run: async ({ get, url }) => {
      const response = await get('/.well-known/agent-skills/index.json')
      if (response.status === 404) return 'n/a'
      const { skills } = (await response.json()) as {
        readonly skills: readonly { readonly url: string; readonly digest: string }[]
      }
      for (const skill of skills) {
        const text = await (await get(skill.url.replace(url, ''))).text()
        const digest = createHash('sha256').update(text).digest('hex')
        if (skill.digest !== `sha256:${digest}`) return `${skill.url} is another`
      }
      return undefined
    },
  },
  {
    name: 'the MCP server lists its tools and reads a page',
    run: async ({ url, pages }) => {
      const [first = '/'] = pages
      const tools = await callMcp(url, 'tools/list', {})
      if (!JSON.stringify(tools).includes('search_docs')) return 'there are no tools'
      const read = await callMcp(url, 'tools/call', {
        name: 'read_page',
        arguments: { url: first },
      })
      return JSON.stringify(read).includes('# ') ? undefined : 'the page is not read'
    },
  },
]

type Look = (response: Response) => Promise<string | undefined>

async function everyPage(
  { get, pages }: HostedSite,
  look: Look,
  headers?: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  for (const path of pages) {
    const wrong = await look(await get(path, headers))
    if (wrong !== undefined) return `${path} ${wrong}`
  }
  return undefined
}

function everyMarkdown(site: HostedSite, look: Look): Promise<string | undefined> {
  return everyPage({ ...site, pages: site.pages.map(markdownOf) }, look)
}

function markdownOf(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`
}

/** Reads `llms.txt` and the lists that it links to. */
async function allLists({ get, url }: HostedSite) {
  const lists = [{ url: '/llms.txt', text: await (await get('/llms.txt')).text() }]
  const seen = new Set(['/llms.txt'])
  for (const { text } of lists) {
    for (const link of linksOf(text)) {
      const path = link.replace(url, '')
      if (!path.startsWith('/_llms/') || seen.has(path)) continue
      seen.add(path)
      lists.push({ url: path, text: await (await get(path)).text() })
    }
  }
  return lists
}

function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/^- \[.*\]\(([^)\s]+)\)/gm)].map(([, link = '']) => link)
}

async function callMcp(url: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.json()
}
