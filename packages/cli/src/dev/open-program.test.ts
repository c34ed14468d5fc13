import { describe, expect, test } from 'vitest'
import { browserCommand, editorCommand, start } from './open-program.ts'

const PLACE = { file: '/docs/a b.mdx', line: 3, column: 7 }

describe('editor command', () => {
  test.each([
    [{}, ['code', '--goto', '/docs/a b.mdx:3:7']],
    [{ EDITOR: 'zed --wait' }, ['zed', '--wait', '/docs/a b.mdx:3:7']],
    [{ EDITOR: 'vim', VISUAL: 'cursor' }, ['cursor', '--goto', '/docs/a b.mdx:3:7']],
    [
      { OCTAVO_EDITOR: '/opt/idea/bin/idea', VISUAL: 'vim' },
      ['/opt/idea/bin/idea', '--line', '3', '--column', '7', '/docs/a b.mdx'],
    ],
  ])('the editor command for %j is %j', (names, command) => {
    expect(editorCommand(names, PLACE, 'linux')).toEqual(command)
  })

  test.each([
    [{}, ['rundll32', 'url.dll,FileProtocolHandler', 'vscode://file/C:/docs/a%20b.mdx:3:7']],
    [
      { OCTAVO_EDITOR: '"C:\\Program Files\\Code\\Code.exe" --reuse-window' },
      ['C:\\Program Files\\Code\\Code.exe', '--reuse-window', '--goto', 'C:\\docs\\a b.mdx:3:7'],
    ],
  ])('the editor command for %j on Windows is %j', (names, command) => {
    const place = { ...PLACE, file: 'C:\\docs\\a b.mdx' }
    expect(editorCommand(names, place, 'win32')).toEqual(command)
  })

  test.each(['vim', 'nano', 'sh -c'])(
    'the editor %s has no window, so it is not started',
    (name) => {
      expect(editorCommand({ EDITOR: name }, PLACE, 'linux')).toBeUndefined()
    },
  )
})

test.each([
  ['darwin', ['open', 'http://localhost/']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler', 'http://localhost/']],
  ['linux', ['xdg-open', 'http://localhost/']],
] as const)('the browser command on %s opens the URL', (platform, command) => {
  expect(browserCommand('http://localhost/', platform)).toEqual(command)
})

test('starting a program that does not exist is reported', async () => {
  expect(await start(['octavo-no-such-program'])).toBe(false)
})
