/** Sample API responses for tests. The contract validates each, so that they stay correct. */
import {
  ApiKeyList,
  AssistantAnswer,
  AssistantReply,
  AuditList,
  Build,
  BuildDiagnostics,
  BuildList,
  ConnectionReply,
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
  GapChange,
  GapList,
  InvitationList,
  Me,
  MemberList,
  OrganizationReply,
  Overview,
  PasskeyList,
  PreviewList,
  Project,
  ProjectContents,
  PublicationReply,
  type Role,
  SessionList,
  WholeConversation,
} from '@octavo/contract'
import { sampleKeys, sampleSessions } from './sample-access.ts'
import { sampleApiChanges } from './sample-api-changes.ts'
import { ago, DAY, LONG_BRANCH, ORGANIZATION_ID, PROJECT_ID, ULIDS } from './sample-facts.ts'
import { sampleAudit, sampleMembers } from './sample-people.ts'
import {
  sampleConversations,
  sampleDetails,
  sampleGapChange,
  sampleGapList,
  sampleGaps,
  sampleOverview,
} from './sample-readers.ts'
import {
  logLines,
  sampleBuilds,
  sampleConnection,
  sampleDeployments,
  sampleDiagnostics,
} from './sample-site.ts'
import { sampleUsage } from './sample-usage.ts'

export type Samples = {
  readonly role: Role
  /** Appended to every text that a reader, author or owner can write. */
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
      organizations: [
        {
          id: ORGANIZATION_ID,
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
      liveNumber: isEmpty ? null : 1184,
      openGaps: isEmpty ? 0 : 7,
      lockReason: isEmpty ? null : `Joining guides lost their pictures.${h}`,
    }),
    overview: Overview.parse(sampleOverview(h, isEmpty)),
    deployments: DeploymentList.parse({
      deployments: list(deployments),
      nextCursor: isEmpty ? null : 'older',
    }),
    deployment: (id: string) =>
      Deployment.parse(deployments.find((one) => one.id === id) ?? deployments[0]),
    apiChanges: sampleApiChanges(h),
    diff: DeploymentDiff.parse({
      number: 1187,
      base: ULIDS.live,
      baseNumber: 1184,
      pages: {
        added: [`/network/gateways${h}`],
        changed: ['/guides/calibrate', '/reference/alarms'],
        removed: [`/guides/join-old${h}`],
        moved: [{ from: '/guides/join', to: `/network/joining${h}` }],
      },
      redirects: [{ source: '/guides/join', destination: `/network/joining${h}` }],
      files: { added: 4, changed: 12, removed: 2 },
    }),
    publication: PublicationReply.parse({
      live: ULIDS.live,
      liveNumber: 1184,
      lockReason: null,
    }),
    previews: PreviewList.parse({
      previews: list([
        {
          name: 'sensor-docs-alarms-k3vq7m2xw5',
          branch: `alarms${h}`,
          url: 'https://sensor-docs-alarms-k3vq7m2xw5.previews.example',
          deployment: ULIDS.ready,
          number: 1187,
          changedAt: ago(240),
          expiresAt: ago(-14 * DAY),
          runsScripts: true,
        },
        {
          name: 'sensor-docs-pull-9-abc',
          branch: LONG_BRANCH,
          url: h === '' ? 'https://fork.previews.example' : 'javascript:canary()',
          deployment: ULIDS.ready,
          number: 1187,
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
      total: isEmpty ? 0 : 2_033,
      searchedTo: null,
      retentionDays: 730,
    }),
    conversation: WholeConversation.parse({ ...conversations[0], ...sampleDetails(h) }),
    gaps: GapList.parse(sampleGapList(list(gaps))),
    gap: Gap.parse(gaps[0]),
    gapChange: GapChange.parse(sampleGapChange(h)),
    keys: ApiKeyList.parse({ keys: list(keys), nextCursor: null }),
    createdKey: CreatedApiKey.parse(created),
    members: MemberList.parse({ members: sampleMembers(h), nextCursor: null }),
    invitations: InvitationList.parse({ invitations: list([invitation]) }),
    createdInvitation: CreatedInvitation.parse({
      ...invitation,
      url: 'https://octavo.greenhouse.example/invitations/inv_7RkQm2vXcT9LwZ4bN8dHsY1f',
    }),
    audit: AuditList.parse({ entries: list(sampleAudit(h)), nextCursor: null }),
    contents: ProjectContents.parse({
      deployments: isEmpty ? 0 : 1_189,
      previews: isEmpty ? 0 : 2,
      conversations: isEmpty ? 0 : 48_211,
      gaps: isEmpty ? 0 : 17,
      keys: isEmpty ? 0 : 3,
      readerTokens: isEmpty ? 0 : 1,
      trusted: isEmpty ? 0 : 1,
      connected: !isEmpty,
      bytes: isEmpty ? 0 : 8_400_000_000,
    }),
    deletedProject: DeletedProject.parse({ erasedAt: ago(-7 * DAY) }),
    organization: OrganizationReply.parse({
      id: ORGANIZATION_ID,
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
    ...sampleUsage(h, isEmpty),
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
      askInPreviews: false,
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
      response: `Hold it in fresh air for **two minutes**, then calibrate. [1]\n\n1. Open **Sensors**.\n2. Press \`Calibrate\`.${h}`,
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
    deliveries: DeliveryList.parse({
      deliveries: list([
        { receivedAt: ago(1), event: 'push', ref: `main${h}`, status: 202 },
        {
          receivedAt: ago(90),
          event: 'push',
          ref: LONG_BRANCH,
          status: 401,
          reason: `The signature is wrong.${h}`,
        },
        { receivedAt: ago(95), event: 'ping', status: 202 },
      ]),
    }),
  }
}
