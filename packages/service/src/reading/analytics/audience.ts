/**
 * Classifies who requests a page, as far as the request shows it: people, agents that read for a
 * user, or other programs. The result is only a label in statistics, so a program that pretends
 * distorts nothing else.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { wantsText } from '../../platform/http/reader-request.ts'

export type Audience = 'people' | 'agents' | 'bots'

/**
 * Programs that fetch a page because a user has just asked them something. Only these names are
 * counted, never a user agent. The first match decides: Claude Code also calls itself Claude-User.
 */
const AGENTS: readonly (readonly [name: string, userAgent: RegExp])[] = [
  ['Claude Code', /Claude-Code|claude-cli/i],
  ['Claude', /Claude-User/i],
  ['ChatGPT', /ChatGPT-User/i],
  ['Codex', /codex/i],
  ['Perplexity', /Perplexity-User/i],
  ['Mistral', /MistralAI-User/i],
  ['DuckDuckGo', /DuckAssistBot/i],
  ['Gemini CLI', /Gemini-CLI/i],
  ['NotebookLM', /Google-NotebookLM/i],
  ['Google', /GoogleAgent/i],
  ['Cursor', /cursor/i],
  ['Windsurf', /windsurf/i],
  ['Cline', /cline/i],
  ['Aider', /aider/i],
  ['OpenCode', /opencode/i],
  ['Copilot', /copilot/i],
  ['Continue', /continue\.dev/i],
  ['Zed', /zed\//i],
  ['Goose', /goose/i],
  ['Devin', /devin/i],
  ['Junie', /junie/i],
  ['MCP', /modelcontextprotocol|\bmcp\b/i],
]
/** Programs that ask for Markdown under a name that is not in the list. */
const OTHER_AGENT = 'Other'
/** Programs that collect pages: search engines, training, link previews, monitors. */
const BOT =
  /bot\b|bot[/;]|crawl|spider|slurp|archiver|facebookexternalhit|preview|monitor|uptime|pingdom|lighthouse|headless|scan|validator|feed/i
const BROWSER = /^Mozilla\/5\.0 /

type Kind = { readonly agent: string } | 'bot' | 'browser' | 'program'
/** Programs have few user agents, and those of people repeat. */
const KNOWN_MAX = 5_000
/** Longer ones would let clients fill the memory. */
const USER_AGENT_LENGTH_MAX = 300

export type UserAgent = {
  readonly kind: Kind
  /**
   * Replaces the text when visitors are distinguished, because a long text takes longer to hash.
   */
  readonly digest: string
}

/** Caches the classification of user agents. */
export function createUserAgents(): (name: string) => UserAgent {
  const known = new Map<string, UserAgent>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const made = { kind: findKind(name), digest: hash('sha256', name, 'base64').slice(0, 8) }
    if (known.size >= KNOWN_MAX) known.clear()
    if (name.length <= USER_AGENT_LENGTH_MAX) known.set(name, made)
    return made
  }
}

export function audienceOf(request: IncomingMessage, { kind }: Pick<UserAgent, 'kind'>): Audience {
  if (typeof kind === 'object') return 'agents'
  if (kind === 'bot') return 'bots'
  const { headers } = request
  // A browser sends how the request started; some agents use its name but omit that.
  if (kind === 'browser' && (headers['sec-fetch-mode'] !== undefined || acceptsPages(request)))
    return 'people'
  // A client that requests Markdown is reading for a model.
  return wantsText(request) || /\.(?:md|txt)$/.test(pathOf(request)) ? 'agents' : 'bots'
}

/** Returns the name that the reads of an agent are counted under. */
export const agentName = ({ kind }: Pick<UserAgent, 'kind'>): string =>
  typeof kind === 'object' ? kind.agent : OTHER_AGENT

function findKind(userAgent: string): Kind {
  const found = AGENTS.find(([, pattern]) => pattern.test(userAgent))
  if (found !== undefined) return { agent: found[0] }
  if (BOT.test(userAgent)) return 'bot'
  return BROWSER.test(userAgent) ? 'browser' : 'program'
}

const acceptsPages = ({ headers }: IncomingMessage) => /text\/html/.test(headers.accept ?? '')
const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/'
