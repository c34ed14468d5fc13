/** API schemas for analytics. */
import { z } from 'zod'

export const FEEDBACK_SOURCES = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const
export const FEEDBACK_STATES = ['pending', 'in_progress', 'resolved', 'dismissed'] as const

const count = z.int().min(0)
const path = z.string().meta({
  description:
    'A page, without the base path. `(other)` combines all pages beyond the hourly limit.',
  examples: ['/guides/start'],
})
const nextCursor = z.string().nullable().meta({
  description: 'The cursor of the next page; null on the last page.',
})
const hasMore = z.boolean().meta({ description: 'Whether there is another page.' })

const BY_AUDIENCE = {
  human: count.meta({ description: 'By people.' }),
  ai: count.meta({ description: 'Views by agents that read on behalf of a person.' }),
  total: count.meta({ description: '`human` and `ai`.' }),
  bots: count.meta({
    description: 'Views by search engines and other programs. They are not included in `total`.',
  }),
}
const Counts = z.object(BY_AUDIENCE)
const PathCounts = z.object({ path, ...BY_AUDIENCE })

export const ViewList = z.object({
  totals: Counts.meta({ description: 'Of all pages.' }),
  views: z.array(PathCounts).meta({ description: 'The most read first.' }),
  nextCursor,
  hasMore,
})

export const READERS = ['people', 'agents'] as const

export const ReadList = z.object({
  reads: z
    .array(
      z.object({
        event: z.enum(['view', 'file', 'mcp']).meta({
          description: 'A page, a file for agents, or a tool of the MCP server.',
        }),
        name: z.string().meta({
          description: 'The path of the page or file, or the name of the tool.',
          examples: ['/guides/start'],
        }),
        count,
        before: count.meta({ description: 'The count in the previous period of the same length.' }),
      }),
    )
    .meta({ description: 'The most read first.' }),
  nextCursor,
  hasMore,
})

export const AgentList = z.object({
  agents: z.array(z.object({ name: z.string().meta({ examples: ['Claude Code'] }), count })).meta({
    description:
      'The most frequent first. `MCP` stands for calls to the MCP server, `Other` for programs without a known name.',
  }),
})

export const VisitorList = z.object({
  totals: Counts.meta({
    description:
      'Visitors of the whole site: a person who reads five pages on one day counts once. On another day they count again.',
  }),
  visitors: z.array(PathCounts).meta({ description: 'Pages with the most visitors first.' }),
  nextCursor,
  hasMore,
})

export const DayList = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      human: count.meta({ description: 'Page views by people.' }),
      ai: count.meta({ description: 'Page views by agents.' }),
      aiFiles: count.meta({ description: 'Files such as `llms.txt` that agents read.' }),
      aiCalls: count.meta({ description: 'Calls to tools of the MCP server.' }),
      bots: count.meta({ description: 'Page views by other programs.' }),
      visitors: count.meta({ description: 'Different people.' }),
      searches: count.meta({ description: 'Searches in the dialog.' }),
      emptySearches: count.meta({ description: 'Searches without a result.' }),
      notFound: count.meta({
        description: 'Requests from people and agents for pages that do not exist.',
      }),
    }),
  ),
})

export const SearchList = z.object({
  searches: z.array(
    z.object({
      searchQuery: z.string(),
      hits: count.meta({ description: 'How often readers searched for this query.' }),
      empty: count.meta({ description: 'How many of these searches had no result.' }),
      ctr: z.number().min(0).meta({ description: 'How many results were opened per search.' }),
      topClickedPage: z.string().optional().meta({ description: 'The result opened most often.' }),
      lastSearchedAt: z.iso.datetime(),
    }),
  ),
  totalSearches: count,
  nextCursor,
})

export const NotFoundList = z.object({
  notFound: z.array(
    z.object({
      path: z.string(),
      ...BY_AUDIENCE,
      lastSeenAt: z.iso.datetime(),
      suggestion: z.string().optional().meta({
        description: 'A page of the live site with the same or a similar name.',
      }),
    }),
  ),
  nextCursor,
  hasMore,
})

export const ReferrerList = z.object({
  referrers: z.array(z.object({ host: z.string(), views: count })),
  nextCursor,
  hasMore,
})

export const UseList = z.object({
  uses: z.array(
    z.object({
      event: z.enum(['file', 'mcp', 'playground']).meta({
        description:
          'A file for agents that was read, a call to a tool of the MCP server, or a request sent by a playground.',
      }),
      name: z.string().meta({ description: 'The file, the tool, or the page of the playground.' }),
      detail: z
        .string()
        .meta({ description: 'Who read the file, or the outcome of the call or request.' }),
      count,
    }),
  ),
  nextCursor,
  hasMore,
})

export const UnreadPageList = z.object({
  pages: z.array(z.object({ path: z.string() })),
  total: count.meta({ description: 'The number of all entries.' }),
  nextCursor,
  hasMore,
})

export const Feedback = z.object({
  id: z.string(),
  path: z.string(),
  comment: z.string().optional(),
  createdAt: z.iso.datetime(),
  source: z.enum(FEEDBACK_SOURCES),
  status: z.enum(FEEDBACK_STATES),
  helpful: z.boolean().optional(),
  contact: z.string().optional().meta({ description: "The reader's contact address for a reply." }),
  code: z.string().optional(),
  filename: z.string().optional(),
  lang: z.string().optional(),
})
export type Feedback = z.infer<typeof Feedback>

export const FeedbackList = z.object({
  feedback: z.array(Feedback).meta({ description: 'The newest first.' }),
  counts: z.object({ pending: count, in_progress: count, resolved: count, dismissed: count }).meta({
    description: 'The number of entries in each state, with the same filters except `status`.',
  }),
  nextCursor,
  hasMore,
})

export const PageFeedbackList = z.object({
  feedback: z.array(
    z.object({
      path: z.string(),
      thumbsUp: count,
      thumbsDown: count,
      code: count,
      comments: count.meta({ description: 'With a comment or code.' }),
      total: count,
    }),
  ),
  nextCursor,
  hasMore,
})

export const FEEDBACK_SORTS = ['total', 'least-helpful'] as const

const FeedbackTotals = z.object({
  votes: count,
  helpful: count.meta({ description: 'Votes that say the page helped.' }),
  comments: count.meta({ description: 'Feedback with a comment or code.' }),
})

export const FeedbackSummary = FeedbackTotals.extend({
  before: FeedbackTotals.meta({
    description: 'The same counts for the previous period of the same length.',
  }),
})

export const FeedbackBody = z.strictObject({
  status: z.enum(FEEDBACK_STATES).meta({ description: 'The new state.' }),
})
