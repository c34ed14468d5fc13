/** Commands of other tools that users type out of habit, with their equivalents in Octavo. */
const HABITS: Readonly<Record<string, string>> = {
  'broken-links':
    '`octavo check` finds broken links; with `--external`, it also checks links to other sites.',
  'openapi-check': '`octavo check` also checks OpenAPI documents.',
  a11y: '`octavo check` reports missing alt text, low contrast and skipped heading levels.',
  score:
    '`octavo check` reports what is wrong for readers and agents; `octavo eval` measures search and answers.',
  format: 'Octavo keeps pages as you write them. `octavo check --fix` corrects mistakes.',
  fmt: 'Octavo keeps pages as you write them. `octavo check --fix` corrects mistakes.',
  analytics:
    '`octavo gaps` lists unanswered questions; the dashboard of the service has the counts.',
  validate: '`octavo check` reports all mistakes.',
  lint: '`octavo check` reports all mistakes.',
  serve: '`octavo preview` serves a built site; `octavo dev` updates as you write.',
  start: '`octavo dev` starts a local server that updates as you write.',
  new: '`octavo init` creates a site.',
  create: '`octavo init` creates a site.',
  publish:
    '`octavo deploy` publishes a site on an Octavo service, and `octavo deployments publish` publishes an existing deployment; `octavo build` writes static files for any web server.',
  promote: '`octavo deployments publish` makes a finished deployment live.',
  rollback: '`octavo deployments rollback` goes back to an earlier deployment.',
  logs: '`octavo builds log` prints the log of a build from Git.',
  domains: '`octavo domain` lists, adds, checks and removes custom domains.',
  update: '`npm update octavo` installs the newest version.',
  upgrade: '`npm update octavo` installs the newest version.',
}

export function habitHint(word: string): string | undefined {
  return Object.hasOwn(HABITS, word) ? HABITS[word] : undefined
}
