/** Replies of the API for tests. The contract parses each, so that they stay true. */
import {
  ApiKeyList,
  AssistantAnswer,
  AssistantReply,
  AuditList,
  Build,
  BuildDiagnostics,
  BuildList,
  ConnectionReply,
  ConnectionTest,
  ConversationList,
  CreatedApiKey,
  CreatedConnection,
  CreatedInvitation,
  CreatedProject,
  DeletedProject,
  DeliveryList,
  Deployment,
  DeploymentDiff,
  DeploymentList,
  Gap,
  GapList,
  InvitationList,
  Me,
  MemberList,
  OrganisationReply,
  Overview,
  PasskeyList,
  PreviewList,
  Project,
  ProjectContents,
  ProjectSettingsReply,
  PublicationReply,
  type Role,
  SessionList,
  UsageReply,
  WholeConversation,
} from '@octavo/service/contract'

export const NOW = Date.parse('2026-11-15T14:20:00.000Z')
export const PROJECT_ID = 'prj_5kbu4k41mpelzrqs'
export const ORGANISATION_ID = 'org_5kbu4k41mpelzrqs'
export const ULIDS = {
  live: '01KG9YS7G0CPZHN1J3EKWGC1Y1',
  before: '01KG9YS7G0CPZHN1J3EKWGC1Y2',
  ready: '01KG9YS7G0CPZHN1J3EKWGC1Y3',
  build: '01KG9YS7G0CPZHN1J3EKWGC1B1',
  failed: '01KG9YS7G0CPZHN1J3EKWGC1B2',
  gap: '01KG9YS7G0CPZHN1J3EKWGC1G1',
  conversation: '01KG9YS7G0CPZHN1J3EKWGC1C1',
}

/** So many minutes before now; negative ones are to come. */
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const DAY = 24 * 60

export type Samples = {
  readonly role: Role
  /** Put into every text that a reader, author or owner can write. */
  readonly hostile: string
  readonly isEmpty: boolean
}

export function sampleReplies({ role, hostile: h, isEmpty }: Samples) {
  const list = <T>(items: readonly T[]): T[] => (isEmpty ? [] : [...items])
  const deployments = sampleDeployments(h)
  const keys = sampleKeys(h)
  const created = {
    ...keys[0],
    id: 'key_9',
    token: 'octavo_adm_7RkQm2vXcT9LwZ4bN8dHsY1fJpA6eGuK0iqxYz',
  }
  const builds = sampleBuilds(h)
  const gaps = sampleGaps(h)
  const conversations = sampleConversations(h)
  const invitation = {
    id: 'inv_1',
    email: 'sofia@greenhouse.example',
    role: 'editor',
    project: PROJECT_ID,
    invitedBy: `Priya Nair${h}`,
    createdAt: ago(DAY),
    expiresAt: ago(-6 * DAY),
  }
  return {
    me: Me.parse({
      id: 'usr_1',
      name: `Amara Okafor${h}`,
      email: 'amara@greenhouse.example',
      organisations: [
        {
          id: ORGANISATION_ID,
          name: `Greenhouse${h}`,
          role,
          projects: [
            {
              id: PROJECT_ID,
              name: `Sensor docs${h}`,
              slug: 'sensor-docs',
              role,
              archived: false,
            },
            {
              id: 'prj_8w2m0hd6xk3tqz5n',
              name: 'Controller API',
              slug: 'controller',
              role: 'viewer',
              archived: true,
            },
          ],
        },
        { id: 'org_8w2m0hd6xk3tqz5n', name: `Seed lab${h}`, role: 'owner', projects: [] },
      ],
    }),
    project: Project.parse({
      id: PROJECT_ID,
      name: `Sensor docs${h}`,
      slug: 'sensor-docs',
      url: 'https://docs.greenhouse.example',
      live: isEmpty ? null : ULIDS.live,
      lockReason: isEmpty ? null : `Joining guides lost their pictures.${h}`,
    }),
    overview: Overview.parse(sampleOverview(h, isEmpty)),
    deployments: DeploymentList.parse({
      deployments: list(deployments),
      nextCursor: isEmpty ? null : 'older',
    }),
    deployment: (id: string) =>
      Deployment.parse(deployments.find((one) => one.id === id) ?? deployments[0]),
    diff: DeploymentDiff.parse({
      base: ULIDS.live,
      pages: {
        added: [`/network/gateways${h}`],
        changed: ['/guides/calibrate', '/reference/alarms'],
        removed: [`/guides/join-old${h}`],
        moved: [{ from: '/guides/join', to: `/network/joining${h}` }],
      },
      redirects: [{ source: '/guides/join', destination: `/network/joining${h}` }],
      files: { added: 4, changed: 12, removed: 2 },
    }),
    publication: PublicationReply.parse({ live: ULIDS.live, lockReason: null }),
    previews: PreviewList.parse({
      previews: list([
        {
          name: 'sensor-docs-alarms-k3vq7m2xw5',
          branch: `alarms${h}`,
          url: 'https://sensor-docs-alarms-k3vq7m2xw5.previews.example',
          deployment: ULIDS.ready,
          changedAt: ago(240),
          expiresAt: ago(-14 * DAY),
          runsScripts: true,
        },
        {
          name: 'sensor-docs-pull-9-abc',
          branch: 'pull/9',
          url: h === '' ? 'https://fork.previews.example' : 'javascript:canary()',
          deployment: ULIDS.ready,
          changedAt: ago(600),
          expiresAt: ago(-10 * DAY),
          runsScripts: false,
        },
      ]),
    }),
    builds: BuildList.parse({ builds: list(builds), nextCursor: null }),
    build: (id: string) => Build.parse(builds.find((one) => one.id === id) ?? builds[0]),
    diagnostics: BuildDiagnostics.parse(sampleDiagnostics(h)),
    log: logLines(h),
    conversations: ConversationList.parse({
      conversations: list(conversations),
      nextCursor: isEmpty ? null : 'older',
    }),
    conversation: WholeConversation.parse({ ...conversations[0], ...sampleDetails(h) }),
    gaps: GapList.parse({ gaps: list(gaps), nextCursor: null }),
    gap: Gap.parse(gaps[0]),
    keys: ApiKeyList.parse({ keys: list(keys), nextCursor: null }),
    createdKey: CreatedApiKey.parse(created),
    members: MemberList.parse({ members: sampleMembers(h), nextCursor: null }),
    invitations: InvitationList.parse({ invitations: list([invitation]) }),
    createdInvitation: CreatedInvitation.parse({
      ...invitation,
      url: 'https://octavo.greenhouse.example/invitations/inv_7RkQm2vXcT9LwZ4bN8dHsY1f',
    }),
    audit: AuditList.parse({ entries: list(sampleAudit(h)), nextCursor: null }),
    settings: ProjectSettingsReply.parse({
      id: PROJECT_ID,
      name: `Sensor docs${h}`,
      slug: 'sensor-docs',
      archived: false,
      retentionDays: 180,
      playgroundProxy: true,
      webhook: `https://hooks.greenhouse.example/octavo${h}`,
      webhookFormat: 'standard',
      trust: [`github:greenhouse/sensor-docs@main${h}`],
    }),
    contents: ProjectContents.parse({
      deployments: isEmpty ? 0 : 1_189,
      previews: isEmpty ? 0 : 2,
      conversations: isEmpty ? 0 : 48_211,
      gaps: isEmpty ? 0 : 17,
      keys: isEmpty ? 0 : 3,
      bytes: isEmpty ? 0 : 8_400_000_000,
    }),
    deletedProject: DeletedProject.parse({ erasedAt: ago(-7 * DAY) }),
    organisation: OrganisationReply.parse({
      id: ORGANISATION_ID,
      name: `Greenhouse${h}`,
      role,
      projects: list([
        { id: PROJECT_ID, name: `Sensor docs${h}`, slug: 'sensor-docs', archived: false },
        {
          id: 'prj_8w2m0hd6xk3tqz5n',
          name: 'Controller API',
          slug: 'controller',
          archived: true,
        },
      ]),
    }),
    usage: UsageReply.parse({
      storage: { bytes: 8_400_000_000, bytesMax: isEmpty ? null : 10_000_000_000 },
      readers: { requests: 410_221, bytes: 18_300_000_000 },
      deployments: 61,
    }),
    sessions: SessionList.parse({ sessions: sampleSessions(h) }),
    createdProject: CreatedProject.parse({
      id: PROJECT_ID,
      name: 'Sensor docs',
      slug: 'sensor-docs',
    }),
    assistant: AssistantReply.parse({
      isOn: !isEmpty,
      mask: true,
      proofOfWork: false,
      model: {
        url: 'http://localhost:11434/v1',
        model: `qwen3-32b${h}`,
        format: 'openai',
        contextTokens: 32_768,
        hasTools: true,
        hasKey: true,
      },
      serviceModel: null,
      tokensPerDay: 200_000,
      tokensPerMonth: 3_000_000,
      today: { questions: 41, cached: 7, tokens: 12_345, tokensMax: 200_000 },
      month: { questions: 3_102, cached: 512, tokens: 2_651_200, tokensMax: 3_000_000 },
    }),
    testAnswer: AssistantAnswer.parse({
      response: `Hold it in fresh air for two minutes, then press Calibrate.${h}`,
      resolutionStatus: 'answered',
      sources: [{ title: `Calibrate${h}`, url: '/guides/calibrate' }],
      nearest: [],
      model: 'qwen3-32b',
      usedTokens: 1_204,
      deployment: ULIDS.live,
    }),
    passkeys: PasskeyList.parse({
      passkeys: list([
        {
          id: 'pas_1',
          name: `Laptop${h}`,
          synced: true,
          createdAt: ago(30 * DAY),
          lastUsedAt: ago(60),
        },
        { id: 'pas_2', name: 'Security key', synced: false, createdAt: ago(DAY), lastUsedAt: null },
      ]),
      recoveryCodesLeft: isEmpty ? 0 : 9,
    }),
    connection: isEmpty ? undefined : ConnectionReply.parse(sampleConnection(h)),
    createdConnection: CreatedConnection.parse({
      ...sampleConnection(h),
      webhook: {
        url: 'https://octavo.greenhouse.example/v1/hooks/5kbu4k41mpelzrqs5kbu4k41',
        secret: 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29r',
        steps: ['GitHub: Settings → Webhooks → Add webhook.', 'Events: "Pushes".'],
      },
      deployKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabg octavo',
    }),
    connectionTest: ConnectionTest.parse({
      isReadable: true,
      defaultBranch: `main${h}`,
      branches: [`main${h}`, 'probe-h3'],
      published: { branch: `main${h}`, commit: 'f07be51a0b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a' },
    }),
    deliveries: DeliveryList.parse({
      deliveries: list([
        { receivedAt: ago(1), event: 'push', ref: `main${h}`, status: 202 },
        {
          receivedAt: ago(90),
          event: 'push',
          ref: 'main',
          status: 401,
          reason: `The signature is wrong.${h}`,
        },
        { receivedAt: ago(95), event: 'ping', status: 202 },
      ]),
    }),
  }
}

const sampleConnection = (h: string) => ({
  url: `https://github.com/greenhouse/sensor-docs${h}`,
  provider: 'github',
  credential: 'token',
  branch: `main${h}`,
  folder: `docs${h}`,
  previews: true,
  forks: false,
  refreshMinutes: 60,
  checkedAt: ago(3),
  problem: null,
})

/** What GitHub lets somebody choose from. */
export const sampleGitHubChoice = (h: string) => ({
  grant: 'sealed.grant',
  repositories: ['sensor-docs', 'probe-docs'].map((name) => ({
    name: `greenhouse/${name}${h}`,
    url: `https://github.com/greenhouse/${name}.git${h}`,
  })),
  hasMore: true,
})

function sampleDeployments(h: string) {
  const one = (id: string, number: number, rest: object) => ({
    id,
    number,
    target: 'production',
    draft: false,
    branch: `main${h}`,
    commit: '9d2e7f40b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a1',
    files: 1_208,
    bytes: 18_400_000,
    ...rest,
  })
  return [
    one('01KG9YS7G0CPZHN1J3EKWGC1Y4', 1189, {
      state: 'uploading',
      message: `Add the CO₂ range of the H3 probe${h}`,
      createdAt: ago(0.6),
      files: undefined,
      bytes: undefined,
    }),
    one(ULIDS.ready, 1187, {
      state: 'ready',
      message: `Move joining guides under Network${h}`,
      createdAt: ago(22),
      finishedAt: ago(21.94),
      url: 'https://sensor-docs-main-k3vq7m2xw5.previews.example',
    }),
    one(ULIDS.live, 1184, {
      state: 'live',
      message: `Explain how to calibrate CO₂ sensors${h}`,
      createdAt: ago(180),
      finishedAt: ago(179.96),
      publishedAt: ago(38),
      url: 'https://docs.greenhouse.example',
    }),
    one(ULIDS.before, 1180, {
      state: 'superseded',
      message: `Shrink the pictures of the joining guides${h}`,
      createdAt: ago(1_300),
      finishedAt: ago(1_299.95),
      publishedAt: ago(1_298),
    }),
    one('01KG9YS7G0CPZHN1J3EKWGC1Y5', 1179, { state: 'failed', createdAt: ago(1_400) }),
    one('01KG9YS7G0CPZHN1J3EKWGC1Y6', 1178, {
      state: 'ready',
      target: 'preview',
      branch: 'alarms',
      message: 'Rewrite the alarm reference',
      createdAt: ago(1_600),
      finishedAt: ago(1_599.9),
    }),
  ]
}

function sampleBuilds(h: string) {
  const one = (id: string, rest: object) => ({
    id,
    number: 1189,
    target: 'production',
    ref: `main${h}`,
    commit: 'f07be510b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a1',
    message: `Add the CO₂ range of the H3 probe${h}`,
    author: `Mei Tanaka${h}`,
    fork: false,
    trigger: 'webhook',
    errors: 0,
    warnings: 0,
    createdAt: ago(0.7),
    ...rest,
  })
  return [
    one(ULIDS.build, { state: 'building', startedAt: ago(0.63) }),
    one(ULIDS.failed, {
      state: 'failed',
      number: 1176,
      message: `Link the new price list${h}`,
      author: `Rafael Duarte${h}`,
      reason: `1 error: guides/prices.mdx does not exist.${h}`,
      notifyError: `The app may not write statuses.${h}`,
      errors: 1,
      warnings: 2,
      pullRequest: 216,
      fork: true,
      createdAt: ago(1_260),
      startedAt: ago(1_259.9),
      finishedAt: ago(1_259.87),
    }),
    one('01KG9YS7G0CPZHN1J3EKWGC1B3', {
      state: 'finished',
      number: 1170,
      message: 'Say which gateways work in the EU',
      warnings: 2,
      deployment: ULIDS.live,
      createdAt: ago(4_000),
      startedAt: ago(3_999.9),
      finishedAt: ago(3_999.86),
    }),
    one('01KG9YS7G0CPZHN1J3EKWGC1B4', {
      state: 'skipped',
      number: 1168,
      message: 'Bump firmware toolchain',
      reason: 'no change under docs/',
      createdAt: ago(5_000),
    }),
  ]
}

function sampleDiagnostics(h: string) {
  return {
    counts: { error: 1, warning: 2 },
    files: 'https://github.com/greenhouse/sensor-docs/blob/f07be51/docs/',
    diagnostics: [
      {
        code: 'link/broken',
        severity: 'error',
        message: `The page \`/guides/prices\` does not exist.${h}`,
        hint: `Create it, or link to another page.${h}`,
        place: { file: `guides/start.mdx${h}`, line: 12, column: 4 },
      },
      {
        code: 'redirect/chain',
        severity: 'warning',
        message: 'This redirect leads to another one: /start → /guides/join → /network/joining.',
        hint: 'Point it at "/network/joining" directly.',
        place: { file: 'docs.json', line: 88, column: 23 },
        related: [
          { place: { file: 'docs.json', line: 91, column: 7 }, message: `The next redirect.${h}` },
        ],
      },
      {
        code: 'link/anchor',
        severity: 'warning',
        message: 'The page `/network/joining` has no part `#two-point`.',
        hint: 'Did you mean `#two-point-calibration`?',
        place: { file: 'guides/calibrate.mdx', line: 42, column: 27 },
      },
      {
        code: 'content/alt-text',
        severity: 'note',
        message: 'No text.',
        hint: 'Describe it.',
        place: { file: 'network/gateways.mdx', line: 17, column: 1 },
      },
    ],
  }
}

function logLines(h: string): string {
  const lines = [
    'Accepted push f07be51 as number 1189 of main.',
    `Fetched greenhouse/sensor-docs.${h}`,
    'octavo 0.9.2, the version of this project.',
    'Building 214 pages.',
  ]
  return lines
    .map(
      (text, index) => `${JSON.stringify({ line: index + 1, at: ago(0.6 - index / 10), text })}\n`,
    )
    .join('')
}

function sampleOverview(h: string, isEmpty: boolean) {
  const asked = [96, 52, 41, 138, 149, 142, 151, 128, 57, 46, 141, 158, 162, 149, 133, 61, 50, 148]
  const days = [...asked, 171, 165, 177, 150, 66, 58, 169, 188, 181, 192, 163, 94].map(
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
    before: { questions: 3_371, answered: 2_946 },
    helpful: { yes: 440, no: 72 },
    openGaps: isEmpty ? 0 : 7,
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

function sampleConversations(h: string) {
  const one = (index: number, query: string, rest: object) => ({
    id: `${ULIDS.conversation.slice(0, -1)}${index}`,
    timestamp: ago(9 + index * 7),
    query: `${query}${h}`,
    response: `Each sensor keeps one join key, which you set when it joins.${h}\n\nThe documentation does not say how to do this for many sensors at once.`,
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

function sampleDetails(h: string) {
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

function sampleGaps(h: string) {
  const one = (index: number, state: string, rest: object) => ({
    id: `${ULIDS.gap.slice(0, -1)}${index}`,
    state,
    count: 30 - index * 6,
    firstAskedAt: ago(60 * DAY),
    lastAskedAt: ago(90),
    changedAt: ago(38),
    examples: [
      `How do I rotate the LoRaWAN join keys of 300 sensors?${h}`,
      `join key rotation lorawan bulk API${h}`,
      'Our auditor wants new keys each year. Is there a script?',
    ],
    nearest: [
      { title: `Joining a network${h}`, url: '/network/joining' },
      { title: 'Gateways', url: h === '' ? '/network/gateways' : 'javascript:canary()' },
    ],
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
    one(4, 'linked', { linkedPage: `/guides/home-assistant${h}` }),
    one(5, 'dismissed', { count: 1, examples: [] }),
  ]
}

function sampleKeys(h: string) {
  const one = (id: string, name: string, rest: object) => ({
    id,
    kind: 'admin',
    name: `${name}${h}`,
    lastFour: 'mh17',
    scopes: ['analytics:read'],
    allowedFrom: [],
    createdAt: ago(90 * DAY),
    createdBy: `Amara Okafor${h}`,
    lastUsedAt: ago(12 * 60),
    expiresAt: ago(-43 * DAY),
    ...rest,
  })
  return [
    one('key_1', 'Nightly export', { allowedFrom: ['10.4.0.0/16'], expiresAt: ago(-8 * DAY) }),
    one('key_2', 'GitHub Actions', {
      kind: 'deploy',
      lastFour: 'Q8xd',
      scopes: ['deploy:read', 'deploy:write'],
      lastUsedAt: ago(39),
    }),
    one('key_3', 'Support warehouse', {
      lastFour: 'b0Zt',
      scopes: ['analytics:read', 'analytics:write'],
      replaces: 'key_4',
    }),
    one('key_4', 'Support warehouse', { lastFour: '4Kfe', expiresAt: ago(-7 * DAY) }),
    one('key_5', 'Old importer', {
      lastFour: 'w2Lp',
      revokedAt: ago(20 * DAY),
      expiresAt: undefined,
      lastUsedAt: undefined,
    }),
  ]
}

function sampleMembers(h: string) {
  const one = (id: string, name: string, rest: object) => ({
    id,
    name: `${name}${h}`,
    email: `${name.split(' ')[0]?.toLowerCase()}@greenhouse.example`,
    role: null,
    projects: [],
    ...rest,
  })
  return [
    one('usr_1', 'Amara Okafor', { role: 'owner' }),
    one('usr_2', 'Priya Nair', { role: 'admin' }),
    one('usr_3', 'Jonas Lindqvist', {
      role: 'viewer',
      projects: [{ id: PROJECT_ID, role: 'editor' }],
    }),
    one('usr_4', 'Mei Tanaka', {
      projects: [{ id: PROJECT_ID, role: 'analyst' }],
    }),
  ]
}

function sampleAudit(h: string) {
  const one = (index: number, actor: string, rest: object) => ({
    id: `aud_${index}`,
    at: ago(index * 60),
    actor,
    object: `key key_${index}${h}`,
    network: '198.51.100.0/24',
    requestId: 'req_8Kd2',
    ...rest,
  })
  return [
    one(1, 'user usr_1', {
      actorName: `Amara Okafor${h}`,
      action: 'key.create',
      after: { scopes: ['analytics:read'], name: h },
    }),
    one(2, 'user usr_2', {
      actorName: 'Priya Nair',
      action: 'project.lock',
      object: 'project',
      before: { lockReason: null },
      after: { lockReason: `Joining guides lost their pictures.${h}` },
    }),
    one(3, 'key key_2', { actorName: `GitHub Actions${h}`, action: 'deployment.publish' }),
    one(4, 'operator', { action: `unknown.action${h}`, network: undefined, requestId: undefined }),
    one(5, 'user usr_1', {
      actorName: 'Amara Okafor',
      action: 'member.role',
      object: 'user usr_3',
      before: 'viewer',
      after: 'editor',
    }),
  ]
}

function sampleSessions(h: string) {
  const one = (id: string, rest: object) => ({
    id,
    kind: 'browser',
    current: false,
    device: `Firefox on Linux${h}`,
    network: '198.51.100.0/24',
    createdAt: ago(3 * DAY),
    lastSeenAt: ago(1),
    expiresAt: ago(-4 * DAY),
    ...rest,
  })
  return [
    one('ses_1', { current: true }),
    one('ses_2', { device: `Safari on iPhone${h}`, lastSeenAt: ago(600) }),
    one('ses_3', {
      kind: 'command-line',
      device: `octavo 0.9.2 on build-7${h}`,
      network: undefined,
    }),
  ]
}
