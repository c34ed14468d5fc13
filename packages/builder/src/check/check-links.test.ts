import { beforeAll, describe, expect, test } from 'vitest'
import { type CheckedFixture, checkFixture } from '../../testing/check-fixture.ts'

let result: CheckedFixture
beforeAll(async () => {
  result = await checkFixture('links-and-their-ends')
})

describe('links of pages', () => {
  test('every broken link is reported, and no working link is', () => {
    expect(result.found).toEqual(result.planted)
  })

  test('the report of a broken link contains a suggestion, and a fix only if the target is certain', () => {
    const reported = result.diagnostics.map(({ message, hint, fix }) => [
      message,
      `${hint}${fix === undefined ? '' : ` (${fix.put})`}`,
    ])
    expect(reported).toMatchInlineSnapshot(`
      [
        [
          "This page has no anchor \`#tools\`, so the link opens the top of the page.",
          "Did you mean \`#tools-we-use\`?",
        ],
        [
          "This page has no anchor \`#tools--we-use\`; with JavaScript, the link opens \`#tools-we-use\`.",
          "Link to \`#tools-we-use\`. \`octavo check --fix\` can fix it. (#tools-we-use)",
        ],
        [
          "Broken link: \`/v2/care/index\` does not exist.",
          "The path is a folder; its first page is \`/v2/care/soil\`.",
        ],
        [
          "Broken link: \`../README.md\` points outside the documentation folder.",
          "Link to the URL of the target on the web.",
        ],
        [
          "Broken link: \`/sdk/soil\` does not exist.",
          "Correct the link, or add a redirect from that URL.",
        ],
        [
          "Broken link: \`/v2/soil\` does not exist.",
          "Did you mean \`/v2/care/soil\`?",
        ],
        [
          "\`/home\` redirects back to this page.",
          "Link to the intended page, or remove the link.",
        ],
        [
          "\`/home#tools-we-use\` redirects back to this page.",
          "Link to \`#tools-we-use\`. (#tools-we-use)",
        ],
        [
          "\`/earth\` redirects to \`/v2/care/soil\`.",
          "Link to \`/v2/care/soil\`. \`octavo check --fix\` can fix it. (/v2/care/soil)",
        ],
        [
          "The page \`/v2/care/soil\` has no anchor \`#loam\`, so the link opens the top of the page.",
          "Use the id of a heading or component on that page.",
        ],
        [
          "Broken link: \`/v2/care/lime\` does not exist.",
          "Correct the link, or add a redirect from that URL.",
        ],
        [
          "Broken link: \`/gone\` does not exist.",
          "Correct the link, or add a redirect from that URL.",
        ],
        [
          "Broken link: \`/lost\` does not exist.",
          "Correct the link, or add a redirect from that URL.",
        ],
        [
          "\`earth\` redirects to \`/v2/care/soil\`.",
          "Link to \`/v2/care/soil\`.",
        ],
        [
          "\`/wet\` redirects to \`/v2/care/water\`.",
          "Link to \`/v2/care/water\`.",
        ],
        [
          "\`/law\` redirects to \`/spec/2025-01/rules\`.",
          "Link to \`/spec/2024-01/rules\`.",
        ],
        [
          "\`/book\` redirects to \`/book/2025-01/rules\`.",
          "Link to \`/book/2024-01/rules\`.",
        ],
        [
          "\`/earth\` redirects to \`/v2/care/soil\`.",
          "Link to \`/v1/care/soil\`.",
        ],
        [
          "\`/kit\` redirects to \`/tools\`.",
          "Link to \`/zh/tools\`.",
        ],
      ]
    `)
  })
})
