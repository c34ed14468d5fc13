/**
 * The page menu (`contextual` in docs.json): plain links in a popover. Entries that copy or use the
 * page's text need a script, so they are written as `hidden`. The assistant and entries for an MCP
 * server are hidden too; the host's script shows those that the host supports.
 */
import type { Access, Config } from '@octavo/model'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { type Html, html, markup } from '../markup/html.ts'
import { siteHref } from '../markup/safe-address.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import type { FrameInput, PageView } from './frame-input.ts'
import { publicBase } from './site-addresses.ts'

type Contextual = NonNullable<Config['contextual']>
type Option = Contextual['options'][number]
type OwnOption = Exclude<Option, string>

type Entry = {
  readonly label: string
  readonly about?: string
  readonly icon?: OwnOption['icon']
} & (
  | { readonly action: 'copy-page' | 'print' | 'assistant' }
  | { readonly mcp: string }
  | {
      readonly href: string
      readonly file?: true
      readonly access?: Access
      /** True if the link contains the URL of the MCP server. */
      readonly needsMcp?: true
    }
)

type PageOf = { readonly view: PageView; readonly text: InterfaceText }

/** Tools that open with a prompt. Their names are not translated. */
const TOOLS: Readonly<Record<string, readonly [name: string, address: string]>> = {
  chatgpt: ['ChatGPT', 'https://chatgpt.com/?hints=search&q='],
  claude: ['Claude', 'https://claude.ai/new?q='],
  perplexity: ['Perplexity', 'https://www.perplexity.ai/search?q='],
  grok: ['Grok', 'https://grok.com/?q='],
  aistudio: ['Google AI Studio', 'https://aistudio.google.com/prompts/new_chat?prompt='],
  devin: ['Devin', 'https://app.devin.ai/?prompt='],
  windsurf: ['Windsurf', 'windsurf://cascade/newChat?prompt='],
  'devin-desktop': ['Windsurf', 'windsurf://cascade/newChat?prompt='],
  cursor: ['Cursor', 'cursor://anysphere.cursor-deeplink/prompt?text='],
}

/** A placeholder that the browser replaces with the origin if the site's URL is unknown. */
const ORIGIN = '{origin}'
/** A placeholder that the browser replaces with the page's Markdown, which may be long. */
const PAGE = '{page}'
/** A placeholder for the URL of the MCP server, which only a host with such a server knows. */
const MCP = '{mcp}'

export class PageMenu {
  readonly #site: FrameInput
  readonly #base: string
  readonly #icons: SpriteFile | undefined
  readonly #marks: AccessMarks

  constructor(site: FrameInput, marks: AccessMarks) {
    this.#site = site
    this.#marks = marks
    this.#base = publicBase(site) ?? ORIGIN
    this.#icons = site.icons
  }

  /** Returns the position of a page's menu. */
  placeOf({ frontmatter }: PageView): 'header' | 'toc' {
    return this.#contextual(frontmatter.fields.contextual)?.display ?? 'header'
  }

  render(view: PageView, text: InterfaceText): string {
    if (view.markdownUrl === undefined) return ''
    const options = this.#contextual(view.frontmatter.fields.contextual)?.options ?? []
    const entries = options.flatMap((option) => this.#entry(option, { view, text }) ?? [])
    // Entries that depend on the host may stay hidden, so another entry comes first.
    const first = entries.find((entry) => !needsHost(entry)) ?? entries[0]
    if (first === undefined) return ''
    const items = entries.map((entry) =>
      this.#marks.wrap(html`<li>${this.#item(entry, view)}</li>`, accessOf(entry)),
    )
    const rest =
      entries.length > 1 &&
      html`<div class="oct-menu"><button type="button" popovertarget="oct-page-menu" aria-label="${text.pageMenu}"></button><ul id="oct-page-menu" popover>${items}</ul></div>`
    const face = this.#marks.wrap(this.#item(first, view), accessOf(first))
    return html`<div class="oct-page-menu">${face}${rest}</div>`.toString()
  }

  /** Returns the options of the page, or else those of the site. */
  #contextual(written: Contextual | boolean | undefined): Contextual | undefined {
    if (written === false) return undefined
    const used = typeof written === 'object' ? written : this.#site.config.contextual
    return used === undefined || used.options.length === 0 ? undefined : used
  }

  #entry(option: Option, page: PageOf): Entry | undefined {
    const { text, view } = page
    if (typeof option !== 'string') return this.#ownEntry(option, view)
    const tool = Object.hasOwn(TOOLS, option) ? TOOLS[option] : undefined
    if (tool !== undefined) {
      const [name, address] = tool
      const prompt = text.handOff.replace('{url}', () => this.#base + (view.markdownUrl ?? ''))
      const label = text.openIn.replace('{tool}', name)
      return { label, about: text.openInAbout, href: address + encodeURIComponent(prompt) }
    }
    switch (option) {
      case 'copy':
        return { label: text.copyPage, about: text.copyPageAbout, action: 'copy-page' }
      case 'view':
        return {
          label: text.viewMarkdown,
          about: text.viewMarkdownAbout,
          href: view.markdownUrl ?? view.url,
        }
      case 'assistant':
        return { label: text.searchAsk, about: text.openInAbout, action: 'assistant' }
      case 'mcp':
        return { label: 'MCP URL', mcp: MCP }
      case 'add-mcp':
        return { label: 'npx add-mcp', mcp: `npx add-mcp ${MCP}` }
      case 'vscode':
        return this.#vsCode(text)
      case 'download-pdf':
        return { label: text.savePdf, action: 'print' }
      case 'download-spec':
        return this.#specification(text)
      default:
        return undefined
    }
  }

  #vsCode(text: InterfaceText): Entry {
    const server = { name: this.#site.config.name, type: 'http', url: MCP }
    const href = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`
    return { label: text.openIn.replace('{tool}', 'VS Code'), about: 'MCP', href, needsMcp: true }
  }

  /**
   * Returns the entry for the specification. It is omitted if readers must sign in, because the
   * file would be public (playground rule 4).
   */
  #specification(text: InterfaceText): Entry | undefined {
    const { config, specification } = this.#site
    const isProtected = config.auth !== undefined || config.userAuth !== undefined
    if (specification === undefined || isProtected) return undefined
    const { url, access } = specification
    return { label: text.downloadSpecification, href: url, file: true, access }
  }

  #ownEntry({ title, description, icon, href }: OwnOption, view: PageView): Entry | undefined {
    const fill = (written: string) =>
      written
        .replaceAll('$path', () => view.path)
        .replaceAll('$page', () => PAGE)
        .replaceAll('$mcp', () => MCP)
    const whole =
      typeof href === 'string'
        ? href.replaceAll(/\$(?:path|page|mcp)\b/g, (name) => encodeURIComponent(fill(name)))
        : addQuery(
            href.base,
            (href.query ?? []).map(({ key, value }) => [key, fill(value)] as const),
          )
    const needsMcp = whole.includes(encodeURIComponent(MCP)) && ({ needsMcp: true } as const)
    return {
      label: title,
      about: description,
      href: whole,
      ...needsMcp,
      ...(icon !== undefined && { icon }),
    }
  }

  #item(entry: Entry, { markdownUrl }: PageView): Html {
    const about = entry.about !== undefined && html`<small>${entry.about}</small>`
    const icon = renderIcon(entry.icon, this.#icons) ?? markup('<i class="oct-sign"></i>')
    const face = html`${icon}<span>${entry.label}</span>${about}`
    if (isAssistant(entry))
      return html`<button type="button" hidden data-assistant>${face}</button>`
    if ('mcp' in entry)
      return html`<button type="button" hidden data-mcp="${entry.mcp}">${face}</button>`
    if ('action' in entry) {
      return html`<button type="button" hidden data-oct="${entry.action}" data-url="${markdownUrl}">${face}</button>`
    }
    const href = siteHref(entry.href)
    if (entry.file) return html`<a href="${href}" download>${face}</a>`
    if (entry.needsMcp) return html`<a href="${href}" hidden data-mcp>${face}</a>`
    const isUnfinished = [ORIGIN, PAGE].some((part) => href.includes(encodeURIComponent(part)))
    const script = isUnfinished && html` hidden data-oct="hand-off" data-url="${markdownUrl}"`
    const isExternalDestination = !href.startsWith('/') && html` target="_blank" rel="noopener"`
    return html`<a href="${href}"${isExternalDestination}${script}>${face}</a>`
  }
}

function isAssistant(entry: Entry): boolean {
  return 'action' in entry && entry.action === 'assistant'
}

/** Checks whether an entry is hidden until the host's script shows it. */
function needsHost(entry: Entry): boolean {
  return isAssistant(entry) || 'mcp' in entry || ('needsMcp' in entry && entry.needsMcp === true)
}

function accessOf(entry: Entry): Access {
  return ('access' in entry ? entry.access : undefined) ?? 'public'
}

function addQuery(base: string, query: readonly (readonly [string, string])[]): string {
  const pairs = query.map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  )
  return pairs.length === 0 ? base : `${base}${base.includes('?') ? '&' : '?'}${pairs.join('&')}`
}
