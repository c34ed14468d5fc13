import { expect, test } from 'vitest'
import { createHighlighter } from './create-highlighter.ts'
import { colorShellSession, isShellSession } from './shell-session.ts'

const upper = (text: string) => text.split('\n').map((line) => `<b>${line}</b>`)
const color = (text: string) => colorShellSession(text.split('\n'), upper)

test('a command follows its prompt, and what it prints is plain text', () => {
  expect(color('$ npm test\nall <3> passed\n\n  $ ls')).toEqual([
    '<span class="t-prompt">$ </span><b>npm test</b>',
    '<span class="t-output">all &lt;3&gt; passed</span>',
    '',
    '<span class="t-prompt">  $ </span><b>ls</b>',
  ])
})

test('a command goes on after a backslash, and comments are code', () => {
  expect(color('# All of it\n$ curl \\\n  --head x\nHTTP/2 200')).toEqual([
    '<b># All of it</b>',
    '<span class="t-prompt">$ </span><b>curl \\</b>',
    '<b>  --head x</b>',
    '<span class="t-output">HTTP/2 200</span>',
  ])
})

test('only shell code with a prompt is a session', () => {
  expect(isShellSession('bash', 'cd x\n$ ls')).toBe(true)
  expect(isShellSession('bash', 'echo $ x\n$HOME/run')).toBe(false)
  expect(isShellSession('js', '$ ls')).toBe(false)
})

test('a session in Bash is highlighted as such, and other Bash as before', async () => {
  const { highlight, load } = createHighlighter()
  await load(['bash'])
  expect(highlight('$ ls -l\ntotal 0', 'bash')).toEqual([
    expect.stringMatching(/^<span class="t-prompt">\$ <\/span><span class="t-/),
    '<span class="t-output">total 0</span>',
  ])
  expect(highlight('ls -l', 'bash').join('')).not.toContain('t-prompt')
})
