/** Samples of questions and gaps; `hostile` is appended to every user-written text. */
import { ago, DAY, LONG_BRANCH, ULIDS } from './sample-facts.ts'

export function sampleOverview(h: string, isEmpty: boolean) {
  const readers = [
    96, 52, 41, 138, 149, 142, 151, 128, 57, 46, 141, 158, 162, 149, 133, 61, 50, 148,
  ]
  const days = [...readers, 171, 165, 177, 150, 66, 58, 169, 188, 181, 192, 163, 94].map(
    (count, index) => ({
      day: ago((29 - index) * DAY).slice(0, 10),
      answered: isEmpty ? 0 : count - Math.round(count / 9),
      unanswered: isEmpty ? 0 : Math.round(count / 9),
      deployments: index % 4 === 3 ? 1 : 0,
    }),
  )
  const answered = days.reduce((sum, day) => sum + day.answered, 0)
  const unanswered = days.reduce((sum, day) => sum + day.unanswered, 0)
  const top = [
    'How do I calibrate a CO₂ sensor?',
    'Why does my gateway show “offline”?',
    'Which batteries fit the H3 probe?',
    'How often does a sensor send?',
    'Can I export readings as CSV?',
    'How do I reset a sensor?',
  ]
  return {
    days,
    questions: answered + unanswered,
    answered,
    before: { questions: 3_371, answered: 2_946, helpful: { yes: 401, no: 88 } },
    helpful: { yes: 440, no: 72 },
    openGaps: isEmpty ? 0 : 7,
    gapQuestions: isEmpty ? 0 : 58,
    ...(isEmpty ? sampleCalm : sampleAttention(h)),
    topQuestions: isEmpty
      ? []
      : top.map((question, index) => ({
          question: `${question}${h}`,
          count: 184 - index * 24,
          lastAskedAt: ago(60),
        })),
    tokens: { month: 1_651_200, monthMax: 3_000_000 },
    updatedAt: ago(1),
  }
}

const sampleCalm = {
  failedBuild: null,
  previous: null,
  attention: { comments: 0, connection: null, domains: [], expiring: [] },
}

const sampleAttention = (h: string) => ({
  failedBuild: {
    id: ULIDS.failed,
    number: 1_188,
    branch: `${LONG_BRANCH}${h}`,
    message: `Add the CO₂ range of the H3 probe${h}`,
    author: `Mei Tanaka${h}`,
    errors: 2,
    finishedAt: ago(18),
    problems: [
      {
        file: `hardware/h3.mdx${h}`,
        line: 42,
        code: 'content/syntax',
        message: `The component <Card> is never closed.${h}`,
      },
      {
        file: 'docs.json',
        line: 61,
        code: 'navigation/missing-page',
        message: 'The page hardware/h4 does not exist.',
      },
    ],
  },
  previous: { id: ULIDS.before, number: 1_180 },
  attention: {
    comments: 9,
    connection: null,
    domains: [`handbuch.greenhouse.example${h}`],
    expiring: [
      { kind: 'readerToken', name: `Partner search crawler${h}`, expiresAt: ago(-6 * DAY) },
    ],
  },
})

export function sampleConversations(h: string) {
  const one = (index: number, query: string, rest: object) => ({
    id: `${ULIDS.conversation.slice(0, -1)}${index}`,
    timestamp: ago(9 + index * 7),
    query: `${query}${h}`,
    response: `Each sensor keeps **one join key**, which you set when it joins. You can replace it for a single sensor under [Keys](/network/joining#keys). [1]\n\n1. Open *Network*.\n2. Choose \`Keys\`.${h}\n\nThe documentation does not say how to do this for many sensors at once.`,
    sources: [{ title: `Joining a network${h}`, url: '/network/joining#keys' }],
    resolutionStatus: 'answered',
    queryCategory: `How to${h}`,
    pageUrl: `/network/joining${h}`,
    ...rest,
  })
  return [
    one(1, 'How do I rotate the LoRaWAN join keys of 300 sensors?', {
      resolutionStatus: 'unanswered',
      threadId: `thread-1${h}`,
    }),
    one(2, 'How do I calibrate a CO₂ sensor after moving it?', { feedback: 'helpful' }),
    one(3, 'list alarm codes as json', { queryCategory: undefined, pageUrl: undefined }),
    one(
      4,
      'Which batteries fit the H3, and how long do they last in winter when the gateway is far away?',
      {
        feedback: 'unhelpful',
      },
    ),
    one(5, 'Does the H3 survive frost if mounted outside?', { resolutionStatus: 'unanswered' }),
  ]
}

export function sampleDetails(h: string) {
  return {
    feedback: {
      at: ago(5),
      helpful: false,
      reason: `incomplete${h}`,
      note: `I know how to do one. I have 300.${h}`,
    },
    reason: 'declared',
    model: `qwen3-32b${h}`,
    usedTokens: 3_216,
    cached: false,
    deployment: ULIDS.live,
    gap: ULIDS.gap,
    nearest: [
      { title: `Joining a network${h}`, url: '/network/joining#keys' },
      { title: 'Gateways', url: h === '' ? '/network/gateways' : 'javascript:canary()' },
      { title: 'REST API: sensors', url: '/api/sensors#update' },
    ],
  }
}

const GAP_QUESTIONS: readonly (readonly [string, string])[] = [
  ['How do I rotate the LoRaWAN join keys of 300 sensors?', 'join key rotation lorawan bulk API'],
  ['My second gateway never shows up. Can I have two?', 'two gateways in one house'],
  ['Which battery goes into the H2?', 'h2 battery type'],
  ['Can I get readings into Home Assistant over MQTT?', 'home assistant'],
  ['Does the H3 survive frost if mounted outside?', 'probe outdoors in winter'],
  ['modbus register map', 'Where is the list of Modbus registers?'],
  ['delete grower account GDPR', 'How can a grower delete their account?'],
  ['Who is the CEO?', 'Who founded Greenhouse?'],
  ['quanto custa o H3', 'price H3 Brazil'],
]

export function sampleGaps(h: string) {
  const one = (index: number, state: string, rest: object) => ({
    id: `${ULIDS.gap.slice(0, -1)}${index}`,
    state,
    count: 30 - index * 3,
    firstAskedAt: ago(60 * DAY),
    lastAskedAt: ago(90 + index * 200),
    changedAt: ago(38),
    examples: [
      ...(GAP_QUESTIONS[index - 1] ?? []).map((question) => `${question}${h}`),
      'Our auditor wants new keys each year. Is there a script?',
    ],
    nearest: [
      { title: `Joining a network${h}`, url: '/network/joining' },
      { title: 'Gateways', url: h === '' ? '/network/gateways' : 'javascript:canary()' },
    ],
    weeks: [0, 1, 2, 1, 4, 3, 2, 4, 3, 5, 6, 8].map((count) => Math.max(0, count - index + 1)),
    ...rest,
  })
  return [
    one(1, 'open', {}),
    one(2, 'likely', { section: `/network/gateways#two${h}`, closedIn: ULIDS.live }),
    one(3, 'verified', {
      section: '/hardware/h2#batteries',
      closedIn: ULIDS.live,
      verifiedBy: 'model',
    }),
    one(4, 'linked', { linkedPage: `/guides/home-assistant${h}`, firstAskedAt: ago(9 * DAY) }),
    one(5, 'open', { weeks: [3, 4, 2, 5, 6, 4, 3, 2, 0, 1, 0, 0] }),
    one(6, 'open', { nearest: [] }),
    one(7, 'open', {}),
    one(8, 'dismissed', {}),
    one(9, 'dismissed', { count: 1, examples: [] }),
  ]
}

export function sampleGapChange(h: string) {
  return {
    id: ULIDS.gap,
    action: 'dismiss',
    at: ago(1),
    gaps: [1, 2, 3, 4].map((index) => `${ULIDS.gap.slice(0, -1)}${index}`),
    question: `Who is the CEO?${h}`,
    undone: false,
  }
}

export function sampleGapList(gaps: readonly object[]) {
  const isEmpty = gaps.length === 0
  return {
    gaps,
    nextCursor: null,
    counts: isEmpty
      ? { open: 0, linked: 0, likely: 0, verified: 0, dismissed: 0 }
      : { open: 7, linked: 3, likely: 2, verified: 5, dismissed: 12 },
    noise: isEmpty ? 0 : 38,
    questions: isEmpty ? 0 : 94,
  }
}
