import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('links-and-their-ends')
})

describe('a link', () => {
  test('is reported where it does not arrive, and only there', () => {
    expect(result.found).toEqual(result.planted)
  })

  test('is told what was meant, and is mended only where that is certain', () => {
    const told = result.diagnostics.map(({ message, hint, fix }) => [
      message,
      `${hint}${fix === undefined ? '' : ` (${fix.put})`}`,
    ])
    expect(told).toMatchInlineSnapshot(`
      [
        [
          "This page has no anchor \`#tools\`; the link opens the top of the page.",
          "Did you mean \`#tools-we-use\`?",
        ],
        [
          "This page has no anchor \`#tools--we-use\`; a script leads readers to \`#tools-we-use\`.",
          "Link to \`#tools-we-use\`. \`octavo check --fix\` does it. (#tools-we-use)",
        ],
        [
          "There is nothing at \`/v2/care/index\`.",
          "It is a folder of pages; the first of them is \`/v2/care/soil\`.",
        ],
        [
          "\`../README.md\` leads out of the folder of the site, where readers find nothing.",
          "Link to it where it is on the web.",
        ],
        [
          "There is nothing at \`/sdk/soil\`.",
          "Correct the link, or add a redirect from that address.",
        ],
        [
          "There is nothing at \`/v2/soil\`.",
          "Did you mean \`/v2/care/soil\`?",
        ],
        [
          "\`/home\` leads back to this page through a redirect.",
          "Link to what is meant, or take the link away.",
        ],
        [
          "\`/home#tools-we-use\` leads back to this page through a redirect.",
          "Link to \`#tools-we-use\`.",
        ],
        [
          "\`/earth\` leads to \`/v2/care/soil\` through a redirect.",
          "Link to \`/v2/care/soil\`. \`octavo check --fix\` does it. (/v2/care/soil)",
        ],
        [
          "The page \`/v2/care/soil\` has no anchor \`#loam\`; the link opens the top of the page.",
          "Use the id of one of its headings or components.",
        ],
        [
          "There is nothing at \`/v2/care/lime\`.",
          "Correct the link, or add a redirect from that address.",
        ],
        [
          "There is nothing at \`/gone\`.",
          "Correct the link, or add a redirect from that address.",
        ],
        [
          "There is nothing at \`/lost\`.",
          "Correct the link, or add a redirect from that address.",
        ],
        [
          "\`earth\` leads to \`/v2/care/soil\` through a redirect.",
          "Link to \`/v2/care/soil\`.",
        ],
        [
          "\`/wet\` leads to \`/v2/care/water\` through a redirect.",
          "Link to \`/v2/care/water\`.",
        ],
        [
          "\`/law\` leads to \`/spec/2025-01/rules\` through a redirect.",
          "Link to \`/spec/2024-01/rules\`.",
        ],
        [
          "\`/book\` leads to \`/book/2025-01/rules\` through a redirect.",
          "Link to \`/book/2024-01/rules\`.",
        ],
        [
          "\`/earth\` leads to \`/v2/care/soil\` through a redirect.",
          "Link to \`/v1/care/soil\`.",
        ],
        [
          "\`/kit\` leads to \`/tools\` through a redirect.",
          "Link to \`/zh/tools\`.",
        ],
      ]
    `)
  })
})
