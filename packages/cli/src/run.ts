import { join } from 'node:path'
import { parseCommandLine } from './command-line.ts'
import { build } from './commands/build.ts'
import { check } from './commands/check.ts'
import { init } from './commands/init.ts'
import { migrate } from './commands/migrate.ts'
import { nav } from './commands/nav.ts'
import { rename } from './commands/rename.ts'
import { scrape } from './commands/scrape.ts'
import { type CommandContext, EXIT, type ExitCode } from './context/command-context.ts'
import { exportConversations } from './export/export.ts'

const HELP = `octavo: documentation sites from a folder of MDX and a docs.json

Usage
  octavo init [dir]    begin a site: a few pages and an API reference
  octavo dev [dir]     show the site while you write it
  octavo build [dir]   make the site: plain files for any web server
  octavo check [dir]   find every mistake: pages, links, docs.json, specifications
  octavo nav [dir]     show the navigation as readers get it
  octavo rename <from> <to>
                       move a page, and everything that names it with it
  octavo migrate [dir] write docs.json anew from mint.json, or without mixed levels
  octavo scrape openapi-file <specification>
                       write an MDX page for each operation
  octavo export --project <id> -o <file>
                       download what readers asked the assistant

Options of dev
  --port <number>             where to listen (the first free one from 3000)
  --host <name>               on which address (127.0.0.1: this machine alone)
  --open                      open the browser

Options of build
  -o, --output <folder>       where the site goes (dist)
  --url <address>             address of the site, for the sitemap and canonical links
  --json                      what was built, for programs
  --strict, --all             as for check
  --workers <number>          how many processes compile pages (all cores but one)

Options of check
  --format text|json|github|sarif
                              how problems are printed (text)
  --strict                    warnings fail the check too
  --all                       list every note, and every problem of a kind
  --fix                       mend what can be mended without asking
  --external                  ask other sites whether linked pages are there

Options of rename and migrate
  --dry-run                   tell what would be done, and do nothing

Options of nav
  --json                      the tree as JSON, for programs

Options of scrape
  -o, --output <folder>       where the pages go (the working directory)
  --overwrite                 replace pages that exist

Options of build, check, dev, nav and scrape
  --offline                   fetch nothing; use the copies of hosted specifications
  --allow-private-host <host> fetch from this host although it is on a private network;
                              can be given several times

Options of export
  --project <id>              the project, prj_…
  -o, --output <file>         where to write; the ending, .ndjson or .csv, is the format
  --from <date>               conversations of this day or instant and later
  --to <date>                 conversations before this day or instant
  --url <address>             the service (http://127.0.0.1:8080)
  The key is read from the environment variable OCTAVO_API_KEY.

  --help, --version

Exit codes
  0  no problems
  1  problems: errors, or with --strict warnings too; a page that was left alone;
     or the export failed
  2  the command was not understood, or there is no documentation there
`

/** Resolved here, beside main.ts: the package that users install keeps the same distance. */
const TEMPLATE_FOLDER = join(import.meta.dirname, '../templates/starter')

/** One number for all packages. */
const VERSION = '0.0.0'

/** Runs one command and tells how it ended. */
export async function run(world: CommandContext): Promise<ExitCode> {
  const asked = parseCommandLine(world.args)
  switch (asked.kind) {
    case 'wrong':
      world.err.write(`octavo: ${asked.reason}\nRun \`octavo --help\` to see what there is.\n`)
      return EXIT.usage
    case 'version':
      world.out.write(`${VERSION}\n`)
      return EXIT.ok
    case 'help':
      ;(asked.asked ? world.out : world.err).write(HELP)
      return asked.asked ? EXIT.ok : EXIT.usage
    case 'dev':
      return (await import('./dev/dev.ts')).dev(world, asked.options)
    case 'build':
      return build(world, asked.options)
    case 'check':
      return check(world, asked.options)
    case 'nav':
      return nav(world, asked.options)
    case 'init':
      return init(world, asked.options, TEMPLATE_FOLDER)
    case 'rename':
      return rename(world, asked.options)
    case 'migrate':
      return migrate(world, asked.options)
    case 'scrape':
      return scrape(world, asked.options)
    case 'export':
      return exportConversations(world, asked.options)
  }
}
