import { z } from 'zod'
import { refuse, splitList } from '../../platform/settings-values.ts'
import { type Issuer, PUBLIC_ISSUERS } from './verify-job-token.ts'

export const ISSUER_VARIABLES = {
  /** Issuers of CI jobs' identity tokens besides GitHub and GitLab: `name=url,…`. */
  OCTAVO_OIDC_ISSUERS: z.string().default('').transform(readIssuers),
}

function readIssuers(text: string, context: z.RefinementCtx): readonly Issuer[] {
  const issuers = splitList(text).map((part) => {
    const [, name = '', url = ''] = /^([a-z][\w-]{0,31})=(https?:\/\/\S+?)\/?$/i.exec(part) ?? []
    return { name, url }
  })
  const names = [...PUBLIC_ISSUERS, ...issuers].map(({ name }) => name)
  const isRight = issuers.every(({ url }) => URL.canParse(url))
  if (isRight && new Set(names).size === names.length) return issuers
  return refuse(
    context,
    'OCTAVO_OIDC_ISSUERS must be a list of names and URLs, such as work=https://gitlab.example.com. The names github and gitlab are taken.',
  )
}
