/**
 * The entries of the campaign, in the order of the catalog: load, no loss, faults, fuzz, OWASP API
 * and attacks.
 */

export type CampaignEntry = {
  /**
   * The section of the catalog: 4.1 load, 4.2 soak, 4.3 export, 4.4 faults, 4.5 bad input, 4.6
   * fuzz, 4.7 OWASP API, 4.8 attacks, and 4.9 drills.
   */
  readonly section: '4.1' | '4.2' | '4.3' | '4.4' | '4.5' | '4.6' | '4.7' | '4.8' | '4.9'
  readonly name: string
  readonly shows: string
  /** The source file of the program or test. */
  readonly file: string
  readonly command: readonly string[]
  readonly secondsMax: number
  /** Matches the output line that says how much work was done; by default, the number of tests. */
  readonly volume?: RegExp
  /** The reason why the campaign does not run this entry. */
  readonly omitted?: string
}

const SERVICE = 'packages/service/src/'
const ASSISTANT = 'packages/assistant/src/'
const MINUTE = 60
const PROPERTIES = ['vitest', 'run', '--project', 'unit', '--project', 'service', 'property.test']

type Test = Pick<CampaignEntry, 'section' | 'name' | 'shows' | 'omitted'> & {
  readonly files: readonly string[]
  readonly secondsMax?: number
}

/** Creates an entry for test files of the service, which need only a database. */
const tests = ({ files, ...entry }: Test): CampaignEntry =>
  shortTests({ ...entry, files: files.map((file) => `${SERVICE}${file}`) })

/** Creates an entry for test files of any package that take only seconds. */
const shortTests = ({ files, secondsMax = 5 * MINUTE, ...entry }: Test): CampaignEntry => ({
  ...entry,
  file: files[0] ?? '',
  command: ['vitest', 'run', '--project', 'unit', '--project', 'service', ...files],
  secondsMax,
})

/** Creates an entry for test files that run full builds or a browser, or take minutes. */
const longTests = (
  { files, secondsMax = 10 * MINUTE, ...entry }: Test,
  project: 'e2e*' | 'soak' = 'e2e*',
): CampaignEntry => ({
  ...entry,
  file: files[0] ?? '',
  command: ['vitest', 'run', '--project', project, ...files],
  secondsMax,
})

type Script = Omit<CampaignEntry, 'command' | 'secondsMax'> & {
  readonly args?: readonly string[]
  readonly secondsMax?: number
}

const script = ({ args = [], secondsMax = 10 * MINUTE, ...entry }: Script): CampaignEntry => ({
  ...entry,
  command: ['node', '--no-warnings', entry.file, ...args],
  secondsMax,
})

export const ENTRIES: readonly CampaignEntry[] = [
  script({
    section: '4.1',
    name: 'export-load',
    shows:
      'Pages of 100 and 1,000 rows as a share of pgbench, the stream as a share of COPY, memory, refused keys a second (T1.1, T1.2, T1.7).',
    file: 'lab/bench/export-load.ts',
    volume: /^([\d,]+ conversations of 1 KB, .*)/,
  }),
  script({
    section: '4.1',
    name: 'export-growth',
    shows: 'A page of the export is as fast in a table of 200,000 rows as in one of 10,000 (T1.4).',
    file: 'lab/bench/export-growth.ts',
    args: ['200000'],
    volume: /^(goal: both at most .*)/,
  }),
  script({
    section: '4.1',
    name: 'static-pages',
    shows: 'Hosted pages a second beside a bare node:http server with the same bytes (T1.8).',
    file: 'lab/bench/host.ts',
    args: ['--seconds', '2', '--rounds', '3'],
    volume: /^(page: \d+ %.*)/,
  }),
  script({
    section: '4.1',
    name: 'agents-load',
    shows: 'Agents at a constant arrival rate beside readers in one process (T1.10, in part).',
    file: 'lab/bench/mcp-load.ts',
    args: ['--per-second', '100', '--seconds', '5', '--rounds', '2'],
    volume: /^([\d.]+ calls\/s held .*)/,
  }),
  script({
    section: '4.1',
    name: 'event-flood',
    shows: 'Counted views of many projects are the plain recount, also when hosts are killed.',
    file: 'lab/soak/event-flood.ts',
    args: ['--views', '200000', '--projects', '100', '--kills', '3'],
    volume: /^([\d,]+ views of \d+ projects)/,
  }),
  script({
    section: '4.1',
    name: 'publish-load',
    shows:
      'Publishing with 16 writers into one and into 100 projects, beside plain inserts (T1.5, T1.6).',
    file: 'lab/bench/publish-load.ts',
    volume: /^(\d+ conversations, one project.*)/,
  }),
  script({
    section: '4.1',
    name: 'build-1000',
    shows:
      'A build of 1,000 pages beside Hugo with the same pages: CPU and memory, and a build after one edit (T1.9).',
    file: 'lab/bench/build.ts',
    args: ['--pages', '1000', '--memory', '1000'],
    volume: /(CPU to Hugo: .*)/,
  }),

  script({
    section: '4.2',
    name: 'soak',
    shows:
      'Two hours of load of every role: memory, open files and connections stay as they are, nothing is lost or refused.',
    file: 'lab/soak/soak.ts',
    args: ['--pace', '20'],
    volume: /^(acknowledged conversations: \d+, of these lost: \d+)/,
    secondsMax: 130 * MINUTE,
  }),
  script({
    section: '4.2',
    name: 'soak-8-hours',
    shows: 'The same for eight hours at half load.',
    file: 'lab/soak/soak.ts',
    omitted:
      'Before a release, on a machine of its own: npm run lab soak/soak -- --minutes 480 --pace 4.',
  }),

  script({
    section: '4.3',
    name: 'no-loss',
    shows:
      'Writers are killed and paused, PostgreSQL crashes, and the export loses and repeats nothing (T3.1 to T3.3, T4.3).',
    file: 'lab/soak/no-loss.ts',
    args: ['--rows', '20000', '--windows', '200', '--seconds', '120'],
    volume: /^(acknowledged\s+\d+)$/,
  }),
  script({
    section: '4.3',
    name: 'no-loss-planted',
    shows: 'The checker finds a bug that was planted: ids made by the application (T3.0).',
    file: 'lab/soak/no-loss.ts',
    args: ['--variant', 'app-ulid'],
  }),
  script({
    section: '4.3',
    name: 'no-loss-all-variants',
    shows: 'The checker finds each of the planted bugs (T3.0), then one million rows (T3.1).',
    file: 'lab/soak/no-loss.ts',
    omitted:
      'Takes an hour and both cores: npm run lab soak/no-loss -- --all-variants, then --rows 1000000.',
  }),
  tests({
    section: '4.3',
    name: 'export-rules',
    shows: 'Windows, cursors and last pages of the export, and resuming by date (T3.3, T3.8).',
    files: ['answers/conversations/export.test.ts', 'answers/conversations/last-page.test.ts'],
  }),
  tests({
    section: '4.3',
    name: 'retention',
    shows:
      'Old rows go while the rest stays; a clock that is set back keeps ids in order and is seen in the metrics (T3.4, T3.5).',
    files: ['app/roles/maintenance.test.ts'],
  }),
  longTests({
    section: '4.3',
    name: 'replica',
    shows: 'Exports from a replica skip nothing and fall back to the primary (T3.6).',
    files: [`${SERVICE}platform/database/replica.e2e.test.ts`],
  }),
  script({
    section: '4.3',
    name: 'restored-cursor',
    shows:
      'A backup is restored into another database, and old cursors go on with the same rows, then with those that are new (T3.7).',
    file: 'lab/drill/restored-cursor.ts',
    volume: /^(\d+ cursors.*)/,
  }),

  script({
    section: '4.4',
    name: 'database-network',
    shows:
      'Latency, resets, half-open connections and a partition between service and PostgreSQL: 503 in time, nothing acknowledged is lost, recovery without restart (T4.10).',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'network', '--seconds', '8'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'connection-exhaustion',
    shows:
      'Others take every connection of PostgreSQL: 503 with Retry-After, then recovery (T4.9).',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'connections', '--seconds', '8'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'full-disk',
    shows:
      'The volumes of PostgreSQL and of the blobs are full: writes are refused, reads go on, recovery when space returns (T4.5).',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'disk', '--seconds', '8'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'store-errors',
    shows:
      'The store answers 500, slowly, or not at all: cached pages are served, the rest gets 503, nothing half is published (T4.4).',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'store', '--seconds', '8'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'slow-clients',
    shows:
      'Clients that send or read one byte a second do not keep others waiting, and are closed.',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'clients', '--seconds', '12'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'database-away',
    shows:
      'PostgreSQL is killed and frozen (SIGSTOP): cached pages are served, publishing is refused (T4.3).',
    file: 'lab/soak/deploy-faults.ts',
    args: ['--only', 'database', '--seconds', '30'],
    volume: /cached pages: (\d+ loads)/,
  }),
  script({
    section: '4.4',
    name: 'blobs-away',
    shows: 'The folder of blobs is gone and comes back (T4.4).',
    file: 'lab/soak/deploy-faults.ts',
    args: ['--only', 'store', '--seconds', '10'],
    volume: /cached pages: (\d+ loads)/,
  }),
  script({
    section: '4.4',
    name: 'killed-deployments',
    shows:
      'The service is killed while versions are deployed: readers never get a mix (T4.1, T4.2).',
    file: 'lab/soak/deploy-atomic.ts',
    args: ['--deployments', '20', '--kill', 'service', '--kills', '6'],
    volume: /^(readers: \d+ loads of a page, \d+ files)/,
  }),
  script({
    section: '4.4',
    name: 'killed-answers',
    shows: 'The service is killed in the middle of answers: each is published once (T4.1).',
    file: 'lab/soak/assistant-kill.ts',
    volume: /("published": \d+)/,
  }),
  longTests(
    {
      section: '4.4',
      name: 'killed-workers',
      shows: 'Workers are killed: jobs are taken up again, and none runs twice at once (T4.2).',
      files: [`${SERVICE}platform/jobs/kill-workers.soak.test.ts`],
    },
    'soak',
  ),
  shortTests({
    section: '4.4',
    name: 'model-down',
    shows: 'The model provider is down, hangs, or answers wrongly.',
    files: [`${ASSISTANT}answer/model-faults.test.ts`, `${ASSISTANT}models/model-client.test.ts`],
  }),
  tests({
    section: '4.4',
    name: 'dns-failure',
    shows: 'DNS fails: domains keep what was proved, and checks say why.',
    files: ['publishing/domains/domains.test.ts', 'publishing/domains/takeover.test.ts'],
  }),
  longTests({
    section: '4.4',
    name: 'build-limits',
    shows: 'A build beyond its time or memory ends, and others go on (T4.7).',
    files: [`${SERVICE}publishing/builds/isolation.e2e.test.ts`],
  }),
  script({
    section: '4.4',
    name: 'clock-jumps',
    shows:
      'The clock of PostgreSQL jumps an hour back and forth under load: ids stay in order, nothing is lost, and the metric tells it (T3.5).',
    file: 'lab/soak/clock-jumps.ts',
    volume: /^(\d+ jumps of the clock.*)/,
  }),
  script({
    section: '4.4',
    name: 'wal-full',
    shows:
      'The volume of the WAL is full: PostgreSQL stops, and all committed rows are there afterwards (T4.6).',
    file: 'lab/soak/service-faults.ts',
    args: ['--only', 'wal', '--seconds', '8'],
    volume: /^(\d+ requests.*)/,
  }),
  script({
    section: '4.4',
    name: 'nth-io-fails',
    shows:
      'The n-th request to the store, or the n-th message to PostgreSQL, fails for every n of a deployment: the site is old or new, and the next attempt succeeds (T4.8).',
    file: 'lab/soak/nth-io-fails.ts',
    volume: /^(\d+ deployments with one fault each.*)/,
  }),
  script({
    section: '4.4',
    name: 'simulated-seeds',
    shows: 'A simulation of service, worker and database with a seed for each run (T4.11).',
    file: 'lab/soak/nth-io-fails.ts',
    omitted:
      'There is no simulator; kills at random moments and faults at every step take its place.',
  }),

  tests({
    section: '4.5',
    name: 'bad-input',
    shows: 'Bad limits, dates, cursors, project ids, parameters, keys and methods of the export.',
    files: [
      'answers/conversations/bad-input.test.ts',
      'projects/api-keys/authenticate.test.ts',
      'platform/secrets/token.test.ts',
    ],
  }),
  tests({
    section: '4.5',
    name: 'wire',
    shows:
      'Malformed HTTP, ten things that Node takes and we do not, pipelines, connections that are held.',
    files: ['platform/http/wire.test.ts', 'reading/hosting/host-forms.test.ts'],
  }),

  {
    section: '4.6',
    name: 'properties',
    shows:
      'Property tests of docs.json, navigation, manifests, routes, YAML, paging, domains and rendering, 2,000 runs each.',
    file: 'scripts/property-runs.ts',
    command: ['env', 'PROPERTY_RUNS=2000', ...PROPERTIES],
    secondsMax: 15 * MINUTE,
  },
  {
    section: '4.6',
    name: 'properties-nightly',
    shows: 'The same, 100,000 runs each.',
    file: 'scripts/property-runs.ts',
    command: ['env', 'PROPERTY_RUNS=100000', ...PROPERTIES],
    secondsMax: 60 * MINUTE,
    omitted: 'Takes more than an hour on two cores: PROPERTY_RUNS=100000 npm test -- property.',
  },
  script({
    section: '4.6',
    name: 'fuzz-openapi',
    shows: 'Changed specifications of a corpus: no crash, bounded time and output.',
    file: 'lab/fuzz/openapi.ts',
    args: ['--runs', '20000'],
    volume: /^(\d+ changed documents of \d+ slices)/,
  }),
  script({
    section: '4.6',
    name: 'fuzz-deployment',
    shows:
      'Changed files of a built site, of every kind that the service opens: read or refused, none over its time, all in a heap of 192 MB.',
    file: 'lab/fuzz/deployment.ts',
    args: ['--runs', '100000'],
    secondsMax: 30 * MINUTE,
    volume: /^(\d+ changed files, \d+ failures.*)/,
  }),
  script({
    section: '4.6',
    name: 'fuzz-http',
    shows:
      'Requests mutated by a grammar, at the service and at HAProxy in front of it, which must agree on method, host, path and body length; no 500, no death.',
    file: 'lab/fuzz/http.ts',
    volume: /^(\d+ requests at the service.*)/,
  }),

  tests({
    section: '4.7',
    name: 'api1-objects',
    shows: 'API1: every route × every pair of tenants × every id, generated from the routes.',
    files: ['platform/http/cross-tenant.test.ts'],
    secondsMax: 10 * MINUTE,
  }),
  tests({
    section: '4.7',
    name: 'api2-authentication',
    shows: 'API2: keys, sessions that end, forged forms, fixation; canaries in logs.',
    files: [
      'projects/api-keys/authenticate.test.ts',
      'reading/access/sessions-end.test.ts',
      'people/sign-in/attacks.test.ts',
    ],
  }),
  tests({
    section: '4.7',
    name: 'api3-properties',
    shows:
      'API3 and API9: routes and replies are those of the published document; unknown fields are refused.',
    files: ['platform/http/openapi-document.test.ts', 'platform/problem.test.ts'],
  }),
  tests({
    section: '4.7',
    name: 'api4-consumption',
    shows:
      'API4 and API6: limits of addresses, keys, questions and budgets at high concurrency; proof of work.',
    files: [
      'answers/assistant/many-questions.test.ts',
      'answers/assistant/turn-store.test.ts',
      'answers/assistant/proof-of-work.test.ts',
      'platform/http/client-address.test.ts',
    ],
  }),
  tests({
    section: '4.7',
    name: 'api5-functions',
    shows: 'API5: each route × role × own and foreign organization is the table in the docs.',
    files: ['people/members/authorization.test.ts'],
    secondsMax: 10 * MINUTE,
  }),
  longTests({
    section: '4.7',
    name: 'api7-ssrf',
    shows:
      'API7: 60 forms of addresses × every outbound path, direct, by redirect and by DNS; no connection at the canary.',
    files: [`${SERVICE}publishing/builds/address-forms.e2e.test.ts`],
  }),
  {
    section: '4.7',
    name: 'api7-client',
    shows: 'API7: the outbound client: ranges, redirects, rebinding, sizes, times.',
    file: 'packages/outbound/src/fetch-outbound.test.ts',
    command: ['vitest', 'run', '--project', 'unit', 'packages/outbound/src'],
    secondsMax: 5 * MINUTE,
  },
  tests({
    section: '4.7',
    name: 'api8-headers',
    shows: 'API8: headers, hosts and caches of hosted sites; no tenant text for unknown hosts.',
    files: ['reading/hosting/hosting.test.ts', 'reading/access/private-site.test.ts'],
  }),
  shortTests({
    section: '4.7',
    name: 'api10-consumption',
    shows: 'API10: hostile Git hosts, models and uploads.',
    files: [
      `${SERVICE}publishing/providers/provider.test.ts`,
      `${ASSISTANT}models/wire-formats.test.ts`,
      `${SERVICE}publishing/deployments/hostile.test.ts`,
    ],
  }),
  script({
    section: '4.7',
    name: 'dependencies',
    shows: 'Licenses, install scripts, integrity and origin of every locked package.',
    file: 'scripts/dependencies.ts',
    volume: /(\d+ production packages.*)/,
  }),
  script({
    section: '4.7',
    name: 'secrets',
    shows: 'No key in any version of any tracked file.',
    file: 'scripts/scan-secrets.ts',
    args: ['--history'],
    volume: /(\d+ added lines.*)/,
  }),

  {
    section: '4.8',
    name: 'attack-pages',
    shows: 'Kinds 1 to 50: no author code runs, and what is refused is told with file and line.',
    file: 'packages/content/src/attacks.test.ts',
    command: ['vitest', 'run', '--project', 'unit', 'packages/content/src/attacks.test.ts'],
    secondsMax: 5 * MINUTE,
  },
  longTests({
    section: '4.8',
    name: 'attack-specifications',
    shows: 'Kinds 51 to 95: bombs, references, sizes, texts of specifications.',
    files: [
      'packages/openapi/src/attacks.e2e.test.ts',
      'packages/openapi/src/large-attacks.e2e.test.ts',
    ],
  }),
  longTests({
    section: '4.8',
    name: 'attack-trap',
    shows: 'Every way to run code of an author is trapped while sites are built.',
    files: ['packages/builder/src/no-author-code.e2e.test.ts'],
  }),
  script({
    section: '4.8',
    name: 'attack-browser',
    shows:
      'The attacks in Chromium, in pages, frontmatter and docs.json, with and without headers: 0 executions, 0 requests elsewhere.',
    file: 'lab/audit/attacks.ts',
    volume: /^(\d+ attacks, with headers: \d+ addresses opened.*)/,
    secondsMax: 20 * MINUTE,
  }),
  script({
    section: '4.8',
    name: 'attack-browser-texts',
    shows: 'The attacks as titles, search results and texts of a specification, in Chromium.',
    file: 'lab/audit/attacks.ts',
    args: ['--texts'],
    volume: /^(\d+ attacks as texts: \d+ addresses opened.*)/,
    secondsMax: 20 * MINUTE,
  }),
  longTests(
    {
      section: '4.8',
      name: 'attack-dashboard',
      shows: 'Every page of the dashboard, filled with attacks, in Chromium: nothing runs.',
      files: [`${SERVICE}people/sign-in/all-screens.soak.test.ts`],
    },
    'soak',
  ),
  shortTests({
    section: '4.8',
    name: 'attack-assistant',
    shows: '100 injections in pages and questions, and answers that repeat them.',
    files: [`${ASSISTANT}answer/injections.test.ts`, `${ASSISTANT}answer/answer-text.test.ts`],
  }),
  tests({
    section: '4.8',
    name: 'attack-index',
    shows:
      'Search indexes that no build writes: the site gets an error, pages of other tenants come within a second.',
    files: ['reading/libraries/hostile-index.test.ts'],
  }),
  longTests({
    section: '4.8',
    name: 'attack-heavy-index',
    shows:
      'A valid index of 77 MB that takes all the time it can get is refused for a while; a library process that ends is started again.',
    files: [`${SERVICE}reading/libraries/heavy-library.e2e.test.ts`],
  }),
  longTests({
    section: '4.8',
    name: 'attack-panel',
    shows:
      'Hostile answers and sources in the assistant panel, and hostile search results, in Chromium.',
    files: [
      `${SERVICE}answers/assistant/panel.e2e.test.ts`,
      'packages/builder/src/output/search/search-browser.e2e.test.ts',
    ],
  }),
  tests({
    section: '4.8',
    name: 'attack-texts',
    shows: 'Hostile texts in e-mails, comments on pull requests, exported CSV and log lines.',
    files: [
      'projects/notifications/notices.test.ts',
      'publishing/providers/print-comment.test.ts',
      'answers/conversations/export.test.ts',
      'reading/analytics/privacy.test.ts',
    ],
  }),
  longTests({
    section: '4.8',
    name: 'attack-repositories',
    shows: 'Kind 100: links, FIFOs, odd names, many files and branches of a repository.',
    files: [`${SERVICE}platform/git/git-contents.e2e.test.ts`],
  }),

  script({
    section: '4.9',
    name: 'failover',
    shows:
      'The leader of three PostgreSQL under Patroni is killed 10 times under load of every role: nothing acknowledged is lost, no reader of pages sees an error.',
    file: 'lab/soak/failover.ts',
    args: ['--kills', '10'],
    volume: /^(acknowledged conversations: \d+, of these lost: \d+)/,
    secondsMax: 40 * MINUTE,
  }),
  script({
    section: '4.9',
    name: 'failover-frozen',
    shows: 'The same, with a leader that is stopped (SIGSTOP) and wakes up later.',
    file: 'lab/soak/failover.ts',
    omitted:
      'Patroni 3.0 of Debian often does not take a leader back that slept: it cannot write its key of the synchronous node any more. A run with 2 by hand is in lab/results/drills.md: npm run lab soak/failover -- --way freeze --kills 2.',
  }),
  script({
    section: '4.9',
    name: 'restore',
    shows:
      'Database and store are destroyed and restored from a backup that was made under load: rows, manifests, pages and exports are as they were.',
    file: 'lab/drill/restore.ts',
    volume: /^written meanwhile\s+[\d.]+ s\s+(.*)/,
    secondsMax: 20 * MINUTE,
  }),
  script({
    section: '4.9',
    name: 'restore-s3',
    shows: 'The same with blobs in Ceph, by the S3 API.',
    file: 'lab/drill/restore.ts',
    args: ['--store', 'bluestore'],
    volume: /^written meanwhile\s+[\d.]+ s\s+(.*)/,
    secondsMax: 20 * MINUTE,
  }),
  script({
    section: '4.9',
    name: 'upgrade',
    shows:
      'From the last release, or to a next schema before there is one, with 100,000 conversations, old and new version side by side: 0 failed requests, exports across the upgrade are whole.',
    file: 'lab/drill/upgrade.ts',
    volume: /(failed requests: \d+)/,
    secondsMax: 20 * MINUTE,
  }),
  script({
    section: '4.9',
    name: 'upgrade-kept-connections',
    shows: 'The same with clients that keep their connections, and with one process for all roles.',
    file: 'lab/drill/upgrade.ts',
    args: ['--role', 'all', '--keep-alive'],
    volume: /(failed requests: \d+)/,
    secondsMax: 20 * MINUTE,
  }),
  script({
    section: '4.9',
    name: 'move-projects',
    shows:
      '100 projects move between two cells under load: readers see no error, rows and blobs are all there.',
    file: 'lab/drill/move-projects.ts',
    args: ['--projects', '100'],
    volume: /^(readers: \d+ pages, \d+ errors)/,
    secondsMax: 40 * MINUTE,
  }),
]
