/**
 * Who asks for a page, as far as a request says it: people, agents that read for somebody, or other programs.
 * It is a label in counts and decides on nothing else, so a program that pretends fools its statistics only.
 */
import type { IncomingMessage } from 'node:http'
import { asksForText } from '../hosting/reader-request.ts'

export type Audience = 'people' | 'agents' | 'bots'

/** Programs that fetch a page because somebody asked them something just now. */
const AGENT =
  /ChatGPT-User|Claude-User|Claude-Code|claude-cli|Perplexity-User|MistralAI-User|DuckAssistBot|Gemini-CLI|GoogleAgent|Google-NotebookLM|cursor|windsurf|cline|aider|opencode|codex|copilot|continue\.dev|zed\/|goose|devin|junie|modelcontextprotocol|\bmcp\b/i
/** Programs that gather pages: search engines, training, previews of links, monitors. */
const BOT =
  /bot\b|bot[/;]|crawl|spider|slurp|archiver|facebookexternalhit|preview|monitor|uptime|pingdom|lighthouse|headless|scan|validator|feed/i
const BROWSER = /^Mozilla\/5\.0 /

type Kind = 'agent' | 'bot' | 'browser' | 'program'
/** User agents of programs are few, and those of people repeat. */
const KNOWN_MAX = 5_000
/** Longer ones would fill the memory with what strangers send. */
const USER_AGENT_LENGTH_MAX = 300

export function createAudienceOf(): (request: IncomingMessage) => Audience {
  const kinds = new Map<string, Kind>()

  function kindOf(userAgent: string): Kind {
    const known = kinds.get(userAgent)
    if (known !== undefined) return known
    const kind = findKind(userAgent)
    if (kinds.size >= KNOWN_MAX) kinds.clear()
    if (userAgent.length <= USER_AGENT_LENGTH_MAX) kinds.set(userAgent, kind)
    return kind
  }

  return (request) => {
    const { headers } = request
    const kind = kindOf(headers['user-agent'] ?? '')
    if (kind === 'agent') return 'agents'
    if (kind === 'bot') return 'bots'
    // A browser says how it came to ask; some agents take its name and say nothing of it.
    if (kind === 'browser' && (headers['sec-fetch-mode'] !== undefined || acceptsPages(request)))
      return 'people'
    // Who wants Markdown reads it with a model.
    return asksForText(request) || /\.(?:md|txt)$/.test(pathOf(request)) ? 'agents' : 'bots'
  }
}

function findKind(userAgent: string): Kind {
  if (AGENT.test(userAgent)) return 'agent'
  if (BOT.test(userAgent)) return 'bot'
  return BROWSER.test(userAgent) ? 'browser' : 'program'
}

const acceptsPages = ({ headers }: IncomingMessage) => /text\/html/.test(headers.accept ?? '')
const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/'
