import { describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { docsSettings } from './docs-settings.ts'

function settingsOf(files: Readonly<Record<string, string>>) {
  const { site } = loadSite(memoryTree({ 'index.mdx': '# Soil\n', ...files }))
  if (site === undefined) throw new Error('The site cannot be read.')
  return docsSettings({ site, pages: site.pages })
}

describe('settings of docs.json with their lines', () => {
  test('a setting is reported with its value, file and line, and settings that docs.json lacks are omitted', () => {
    const settings = settingsOf({
      'docs.json': `{
  "name": "Plants",
  "deploy": {
    "failOn": "error"
  },
  "redirects": [{ "source": "/old", "destination": "/" }],
  "navigation": {
    "tabs": [
      { "tab": "Guides", "pages": ["index"] }
    ]
  },
  "assistant": { "enabled": false }
}`,
    })
    expect(settings).toEqual([
      { key: 'name', value: 'Plants', file: 'docs.json', line: 2 },
      { key: 'navigation', value: '1 tab, 1 page', file: 'docs.json', line: 7 },
      { key: 'redirects', value: '1', file: 'docs.json', line: 6 },
      { key: 'assistant.enabled', value: 'off', file: 'docs.json', line: 12 },
      { key: 'deploy.failOn', value: 'error', file: 'docs.json', line: 4 },
    ])
  })

  test('a setting in an included part of docs.json is reported with the file of that part', () => {
    const settings = settingsOf({
      'docs.json': `{
  "name": "Plants",
  "navigation": { "$ref": "parts/navigation.json" }
}`,
      'parts/navigation.json': '\n\n{ "languages": [{ "language": "en", "pages": ["index"] }] }',
    })
    expect(settings.slice(1)).toEqual([
      { key: 'navigation', value: '1 page', file: 'parts/navigation.json', line: 3 },
      { key: 'navigation.languages', value: 'en', file: 'parts/navigation.json', line: 3 },
    ])
  })
})
