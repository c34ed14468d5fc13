/**
 * Samples of deployments, builds and the repository; `hostile` is appended to every user-written
 * text.
 */
import { ago, LONG_BRANCH, ULIDS } from './sample-facts.ts'

export const sampleConnection = (h: string) => ({
  url: `https://github.com/greenhouse/sensor-docs${h}`,
  provider: 'github',
  credential: 'token',
  branch: `main${h}`,
  publishedBranch: `main${h}`,
  folder: `docs${h}`,
  previews: true,
  forks: false,
  refreshMinutes: 60,
  checkedAt: ago(4),
  nextCheckAt: ago(-3),
  checks: { reachable: 'good', access: 'good', branch: 'good', docsJson: 'good', webhook: 'good' },
  problem: null,
  said: null,
  failedSince: null,
})

/** A connection whose deploy key was removed at the Git host. */
export const sampleRefusedConnection = (h: string) => ({
  ...sampleConnection(h),
  branch: LONG_BRANCH,
  publishedBranch: LONG_BRANCH,
  url: 'git@github.com:greenhouse/sensor-docs.git',
  credential: 'ssh-key',
  checkedAt: ago(2),
  checks: {
    reachable: 'good',
    access: 'bad',
    branch: 'unknown',
    docsJson: 'unknown',
    webhook: 'good',
  },
  problem: `github.com does not accept the deploy key. Add the public key to the repository, with read access.${h}`,
  said: `git@github.com: Permission denied (publickey).${h}`,
  failedSince: ago(180),
  deployKey:
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9mQ0v7w2bq4T8rVd5xK1pLcN0sYfGh octavo prj_5kbu4k41mpelzrqs',
})

/** The repositories that GitHub offers. */
export const sampleGitHubChoice = (h: string) => ({
  grant: 'sealed.grant',
  repositories: ['sensor-docs', 'probe-docs'].map((name) => ({
    name: `greenhouse/${name}${h}`,
    url: `https://github.com/greenhouse/${name}.git${h}`,
  })),
  hasMore: true,
})

export function sampleDeployments(h: string) {
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
      branch: LONG_BRANCH,
      message: `Move joining guides under Network${h}`,
      createdAt: ago(22),
      finishedAt: ago(21.94),
      url: 'https://sensor-docs-main-k3vq7m2xw5.previews.example',
    }),
    one(ULIDS.live, 1184, {
      state: 'live',
      message: `Explain how to calibrate CO₂ sensors${h}`,
      author: `Jonas Lindqvist${h}`,
      createdAt: ago(180),
      finishedAt: ago(179.96),
      publishedAt: ago(38),
      url: 'https://docs.greenhouse.example',
    }),
    one(ULIDS.before, 1180, {
      state: 'superseded',
      message: `Shrink the pictures of the joining guides${h}`,
      author: 'GitHub Actions',
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

export function sampleBuilds(h: string) {
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
      ref: LONG_BRANCH,
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
      trigger: 'check',
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
      trigger: 'api',
      message: 'Bump firmware toolchain',
      reason: 'no change under docs/',
      createdAt: ago(5_000),
    }),
  ]
}

export function sampleDiagnostics(h: string) {
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

export function logLines(h: string): string {
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
