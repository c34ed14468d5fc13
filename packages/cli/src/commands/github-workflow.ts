/**
 * Returns a GitHub Actions workflow that checks the site and publishes the main branch to GitHub
 * Pages.
 */
export function githubWorkflow({
  folder,
  hasLock,
}: {
  readonly folder: string
  /** True if there is a lock file, which `npm ci` requires. */
  readonly hasLock: boolean
}): string {
  const dir = folder === '.' ? '' : ` ${folder}`
  const cache = folder === '.' ? '.octavo/cache' : `${folder}/.octavo/cache`
  return `name: docs

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  build:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pages: read
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: ${hasLock ? 'npm ci' : 'npm install'}
      - uses: actions/cache@v4
        with:
          path: ${cache}
          key: octavo-\${{ github.sha }}
          restore-keys: octavo-
      - run: npx octavo check${dir} --format github
      - uses: actions/configure-pages@v5
        id: pages
        if: github.event_name == 'push'
      - run: npx octavo build${dir} --url "\${{ steps.pages.outputs.base_url || 'https://example.com' }}"
      - uses: actions/upload-pages-artifact@v3
        if: github.event_name == 'push'
        with:
          path: dist

  deploy:
    if: github.event_name == 'push'
    needs: build
    runs-on: ubuntu-latest
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/deploy-pages@v4
        id: deployment
`
}
