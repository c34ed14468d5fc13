/**
 * Writes docs/deploy/walkthrough.mdx from real commands against a real service.
 * The page is the lifecycle of a hosted site as its owner sees it. Ids, times and the port differ
 * each time, so no check compares it; packages/cli/src/deploy/deploy.e2e.test.ts tests the
 * commands.
 *
 *   npm run lab drill/walkthrough        (needs git, curl and /usr/bin/chromium)
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPostgres } from '../../packages/service/testing/start-postgres.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/deploy/walkthrough.mdx')

type Part = {
  readonly title: string
  readonly about: string
  readonly commands: readonly string[]
  /** The text below the commands. */
  readonly after?: string
}

const AT = '--project $PROJECT --service $SERVICE'

const PARTS: readonly Part[] = [
  {
    title: 'Create the project',
    about: 'The operator creates a project and a deploy token, which can do nothing but deploy.',
    commands: [
      'octavo-service project create Plants | tee project.txt',
      'octavo-service key create $(tail -n 1 project.txt) --kind deploy',
    ],
    after:
      'From here on, `PROJECT` is the id of the project, `SERVICE` the URL of the service, and `OCTAVO_API_KEY` the token.',
  },
  {
    title: 'First deployment',
    about: 'A new site, in Git.',
    commands: [
      'octavo init docs --name Plants --yes',
      'git init -q -b main && git add . && git commit -qm "First version"',
      `octavo deploy docs ${AT} --wait`,
    ],
  },
  {
    title: 'Look at it',
    about:
      '`--wait` has waited until readers get the site. In Chromium, with its scripts and styles:',
    commands: [
      'chromium --headless --dump-dom $SITE 2>/dev/null | grep -o "<h1[^>]*>[^<]*"',
      'curl -s $SITE/_octavo/version.json && echo',
    ],
  },
  {
    title: 'Edit one page',
    about:
      'Only what changed is sent: the page and what is made from it, such as the search index.',
    commands: [
      'echo "Water less in winter." >> docs/index.mdx',
      'git commit -qam "Water less in winter"',
      `octavo deploy docs ${AT} --wait`,
      `octavo deployments ${AT}`,
      `octavo deployments diff ${AT}`,
    ],
  },
  {
    title: 'Roll back',
    about:
      'The edit was wrong. One command brings back the deployment before, and locks the project:',
    commands: [
      `octavo deployments rollback ${AT} --wait`,
      'curl -s $SITE/index.md | grep -c winter',
      `octavo deploy docs ${AT}`,
    ],
    after:
      'The last deployment comes from a colleague who does not know about the rollback. It is on the service, and readers do not get it.',
  },
  {
    title: 'Unlock',
    about: 'Correct the page, unlock the project, and deploy.',
    commands: [
      'sed -i "s/Water less in winter./Water less from November to March./" docs/index.mdx',
      'git commit -qam "Say when to water less"',
      `octavo deployments unlock ${AT}`,
      `octavo deploy docs ${AT} --wait`,
    ],
  },
  {
    title: 'Preview a branch',
    about: 'A new page, on a branch. Its preview is at an unguessable URL:',
    commands: [
      'git switch -qc pruning',
      String.raw`printf -- '---\ntitle: Pruning\n---\n\nPrune in spring.\n' > docs/guides/pruning.mdx`,
      `sed -i 's|"guides/components"|"guides/components", "guides/pruning"|' docs/docs.json`,
      'git add . && git commit -qm "Explain pruning"',
      `octavo deploy docs --preview ${AT} --wait`,
      `octavo deployments previews ${AT}`,
      'curl -s -o /dev/null -w "%{http_code}\\n" $SITE/guides/pruning',
    ],
    after: 'The site itself does not have the page.',
  },
  {
    title: 'Compare',
    about: 'What would change if the preview were published?',
    commands: [`octavo deployments diff ${AT}`],
  },
  {
    title: 'Publish',
    about:
      'After the merge, the same files are deployed again. They are all on the service already, so nothing is sent.',
    commands: [
      'git switch -q main && git merge -q pruning',
      `octavo deploy docs ${AT} --wait`,
      `octavo deployments delete-preview pruning ${AT}`,
      `octavo deployments ${AT}`,
    ],
  },
]

const folder = mkdtempSync(join(tmpdir(), 'octavo-walkthrough-'))
const postgres = await startPostgres({ settings: { fsync: 'off' } })
let service: ChildProcess | undefined
try {
  const port = await freePort()
  const work = join(folder, 'work')
  mkdirSync(work)
  const environment: Record<string, string> = {
    PATH: `${bin()}:${process.env.PATH}`,
    HOME: folder,
    NO_COLOR: '1',
    ...gitPerson(),
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'plants_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for the walkthrough, 32 characters or more',
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_URL: `http://127.0.0.1:${port}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
    OCTAVO_ADMIN_PORT: '0',
    SERVICE: `http://127.0.0.1:${port}`,
    SITE: `http://plants.sites.localhost:${port}`,
  }
  const shell = (command: string) => run(command, { cwd: work, env: environment })
  shell('octavo-service migrate')
  service = await start({ ...environment, PORT: String(port) })
  const parts: string[] = []
  for (const { title, about, commands, after } of PARTS) {
    const lines: string[] = []
    for (const command of commands) {
      const printed = shell(command)
      environment.PROJECT ??= /prj_\w+/.exec(printed)?.[0] as string
      const [key] = /octavo_dep_\w+/.exec(printed) ?? []
      if (key !== undefined) environment.OCTAVO_API_KEY = key
      lines.push(`$ ${command}\n${printed.replace(/(octavo_dep_)\w+/, '$1…')}`)
    }
    const end = after === undefined ? '' : `\n${after}\n`
    parts.push(`## ${title}\n\n${about}\n\n\`\`\`text\n${lines.join('').trimEnd()}\n\`\`\`\n${end}`)
  }
  writeFileSync(page, `${intro()}\n${parts.join('\n')}`)
} finally {
  service?.kill('SIGKILL')
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Creates a folder with the commands under the names that users know. */
function bin(): string {
  const place = join(folder, 'bin')
  mkdirSync(place)
  const programs = {
    octavo: `"${process.execPath}" "${join(root, 'packages/cli/src/main.ts')}"`,
    'octavo-service': `"${process.execPath}" "${join(root, 'packages/service/src/main.ts')}"`,
    // Chromium's sandbox does not work in containers.
    chromium: '/usr/bin/chromium --no-sandbox --disable-gpu',
  }
  for (const [name, command] of Object.entries(programs))
    writeFileSync(join(place, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  return place
}

function gitPerson(): Record<string, string> {
  const [name, email] = ['Owner', 'owner@example.com']
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

function run(
  command: string,
  options: { readonly cwd: string; readonly env: Record<string, string> },
): string {
  // Both streams are merged, as in a terminal. `grep -c` exits with 1 if it counts 0.
  const { status, stdout } = spawnSync('bash', ['-c', `exec 2>&1; ${command}`], {
    ...options,
    encoding: 'utf8',
  })
  if (status !== 0 && !command.includes('grep -c')) throw new Error(`${command}\n${stdout}`)
  return stdout
}

function start(env: Record<string, string>): Promise<ChildProcess> {
  const main = join(root, 'packages/service/src/main.ts')
  const child = spawn(process.execPath, [main, '--role', 'all'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listening')) resolve(child)
    })
    child.once('exit', () => reject(new Error('the service ended')))
  })
}

function intro(): string {
  return `---
title: Walkthrough
description: "A hosted site from its first deployment to a preview in the terminal: deploy, edit, roll back, unlock, preview, compare, publish."
---

{/* Written by \`npm run lab drill/walkthrough\` from a real run. */}

This page is the record of a session in a terminal, with a service on the same machine. In your own, \`$SERVICE\` is a
URL such as \`https://octavo.example.com\`. See [Octavo service](/deploy/octavo-service) for explanations.
`
}
