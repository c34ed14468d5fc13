/**
 * Classifies the client of a request as a person, an agent that reads for a user, or another
 * program. The result is only used for statistics, so a program with a false name cannot cause
 * other damage.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { wantsText } from '../../platform/http/reader-request.ts'

export type Audience = 'people' | 'agents' | 'bots'

/**
 * Programs that fetch a page because a user has asked them something. Only the name is counted,
 * never the user agent itself. The first match is used, because the user agent of Claude Code also
 * contains Claude-User.
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
/** The name for programs that request Markdown but are not in the list. */
const OTHER_AGENT = 'Other'
/** Programs that collect pages, for search engines, training, link previews or monitoring. */
const BOT =
  /bot\b|bot[/;]|crawl|spider|slurp|archiver|facebookexternalhit|preview|monitor|uptime|pingdom|lighthouse|headless|scan|validator|feed/i
const BROWSER = /^Mozilla\/5\.0 /

type Kind = { readonly agent: string } | 'bot' | 'browser' | 'program'
/** The maximum number of cached user agents. Only a few different ones are in use. */
const KNOWN_MAX = 5_000
/** The maximum length of a cached user agent. Longer ones could fill the memory. */
const USER_AGENT_LENGTH_MAX = 300

export type UserAgent = {
  readonly kind: Kind
  /**
   * A short hash of the user agent, used to distinguish visitors. Hashing the whole text again
   * would take longer.
   */
  readonly digest: string
}

/** Returns a function that classifies user agents and caches the results. */
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
  // Browsers send `sec-fetch-mode`. Agents that pretend to be a browser often omit this header.
  if (kind === 'browser' && (headers['sec-fetch-mode'] !== undefined || acceptsPages(request)))
    return 'people'
  // A client that requests Markdown probably reads it for a model.
  return wantsText(request) || /\.(?:md|txt)$/.test(pathOf(request)) ? 'agents' : 'bots'
}

/** Returns the name under which requests of an agent are counted. */
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
