/** Commands of other tools that users type from habit, with the equivalent here. */
const HABITS: Readonly<Record<string, string>> = {
  'broken-links': '`octavo check` finds broken links; with `--external` also those to other sites.',
  'openapi-check': '`octavo check` also checks OpenAPI documents.',
  a11y: '`octavo check` reports missing alt text, low contrast and skipped heading levels.',
  validate: '`octavo check` reports all mistakes.',
  lint: '`octavo check` reports all mistakes.',
  serve: '`octavo preview` serves a built site, `octavo dev` updates as you write.',
  start: '`octavo dev` starts a local server that updates as you write.',
  new: '`octavo init` creates a site.',
  create: '`octavo init` creates a site.',
  publish:
    '`octavo deploy` publishes on an Octavo service, `octavo deployments publish` a deployment that is there; `octavo build` writes static files for any web server.',
  promote: '`octavo deployments publish` makes a finished deployment live.',
  rollback: '`octavo deployments rollback` goes back to an earlier deployment.',
  logs: '`octavo builds log` prints the log of a build from Git.',
  domains: '`octavo domain` lists custom domains, and adds, checks and removes them.',
  update: '`npm update octavo` installs the newest version.',
  upgrade: '`npm update octavo` installs the newest version.',
}

export function habitHint(word: string): string | undefined {
  return Object.hasOwn(HABITS, word) ? HABITS[word] : undefined
}
