/**
 * Simulates arbitrary histories of a repository, and checks after each step that no change was
 * missed and none was built twice.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PullRequest } from '../providers/provider.ts'
import { type Comparison, compareRefs } from './compare-refs.ts'
import type { GitRefRow } from './store.ts'

const commit = fc.constantFrom('a', 'b', 'c').map((letter) => letter.repeat(40))
const branch = fc.constantFrom('main', 'next', 'topic', 'fix/a', 'pull/1')
const branches = fc.dictionary(branch, commit, { minKeys: 1 })
const pulls = fc.uniqueArray(
  fc.record<PullRequest>({
    number: fc.integer({ min: 1, max: 4 }),
    url: fc.constant('https://example.com/'),
    headCommit: commit,
    headBranch: branch,
    baseBranch: branch,
    isFork: fc.boolean(),
  }),
  { selector: ({ number }) => number },
)
const step = fc.record({
  branches,
  pulls: fc.option(pulls, { nil: undefined }),
  defaultBranch: branch,
})

function apply(seen: Map<string, GitRefRow>, { changed, gone }: Comparison): void {
  for (const { isBuilt: _, ...row } of changed) seen.set(row.name, row)
  for (const name of gone) seen.delete(name)
}

test('after each check, all refs are recorded, so that another check finds no changes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const seen = new Map<string, GitRefRow>()
      /** The newest built commit of each ref. */
      const built = new Map<string, string>()
      let hasListedPulls = false
      for (const [index, { branches, pulls, defaultBranch }] of steps.entries()) {
        const before = new Map(seen)
        const input = {
          refs: {
            kind: 'refs' as const,
            defaultBranch,
            branches: new Map(Object.entries(branches)),
          },
          pulls,
          branch: null,
          givenUp: new Set<string>(),
          buildsPreviews: true,
          buildsForks: true,
          previewed: new Set<string>(),
          previewsMax: 1_000,
          isFirstPullList: !hasListedPulls,
        }
        const found = compareRefs({ ...input, seen: [...seen.values()], isFirstCheck: index === 0 })
        apply(seen, found)
        hasListedPulls ||= pulls !== undefined
        for (const { target, ref, commit } of found.builds) {
          built.set(`${target} ${ref}`, commit)
          // Only changed refs are built.
          expect(before.get(ref)).not.toEqual(seen.get(ref))
        }

        const again = compareRefs({
          ...input,
          seen: [...seen.values()],
          isFirstCheck: false,
          isFirstPullList: !hasListedPulls,
        })
        expect(again).toMatchObject({ builds: [], changed: [], gone: [] })
        const head = defaultBranch.startsWith('pull/') ? undefined : branches[defaultBranch]
        expect(found.builds.some(({ target, isFork }) => target === 'production' && isFork)).toBe(
          false,
        )
        if (head !== undefined && found.builds.some(({ target }) => target === 'production'))
          expect(built.get(`production ${defaultBranch}`)).toBe(head)
        if (head !== undefined) expect(seen.get(defaultBranch)?.commit).toBe(head)
        for (const [name, id] of Object.entries(branches))
          if (!name.startsWith('pull/')) expect(seen.get(name)?.commit).toBe(id)
        // A new commit of the published branch is built.
        const old = before.get(defaultBranch)
        if (head !== undefined && (old?.commit !== head || !old.isProduction))
          expect(found.builds[0]).toMatchObject({ target: 'production', commit: head })
      }
    }),
  )
})
