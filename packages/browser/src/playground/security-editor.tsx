/** Edits the server and the credentials of a request. */
import { type SecuritySchemeData, securityOf, serversOf } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { serverUrl } from './build-request.ts'
import { Fold } from './fold.tsx'
import { askForClientToken, askForCode, REDIRECT_PATH } from './oauth.ts'
import { idOf } from './plain-fields.tsx'
import { remember } from './remembered.ts'
import {
  type Credential,
  chosenSchemes,
  type Operation,
  type RequestState,
  withEntry,
} from './request-state.ts'
import { SecretInput } from './secret-input.tsx'
import { canSetCookies } from './send-request.ts'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'

type Props = {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
}

/** Lets the reader choose the server if there are several. */
export function ServerSelect({ operation, state, change }: Props): JSX.Element | null {
  const servers = serversOf(operation.page, operation.library.context)
  const words = useWords()
  if (servers.length < 2) {
    return <span class="oct-try-server">{servers[0] && serverName(servers[0].url)}</span>
  }
  return (
    <select
      class="oct-try-server"
      aria-label={words.tryServer}
      value={String(state.server)}
      onChange={({ currentTarget: { value } }) => {
        const variables = servers[Number(value)]?.variables ?? []
        change((old) => ({
          ...old,
          server: Number(value),
          variables: new Map(variables.map((one) => [one.name, one.default])),
        }))
      }}
    >
      {servers.map(({ url, description }, index) => (
        <option key={index} value={String(index)}>
          {description === undefined ? serverName(url) : `${serverName(url)} – ${description}`}
        </option>
      ))}
    </select>
  )
}

/** Returns the URL of a server without what is the same for nearly all of them. */
function serverName(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '')
}

/** Edits the variables of the chosen server. */
export function ServerVariables({ operation, state, change }: Props): JSX.Element | null {
  const server = serversOf(operation.page, operation.library.context)[state.server]
  const words = useWords()
  if (server?.variables === undefined || server.variables.length === 0) return null
  return (
    <Fold title={words.tryServer} hint={serverName(server.url)}>
      {server.variables.map(({ name, values }) => {
        const value = state.variables.get(name) ?? ''
        const set = (next: string) =>
          change((old) => ({ ...old, variables: withEntry(old.variables, name, next) }))
        return (
          <div class="oct-try-field" key={name}>
            <label class="oct-try-label" for={`oct-try-variable-${name}`}>
              <code>{name}</code>
            </label>
            {values === undefined ? (
              <input
                id={`oct-try-variable-${name}`}
                value={value}
                onInput={({ currentTarget }) => set(currentTarget.value)}
              />
            ) : (
              <select
                id={`oct-try-variable-${name}`}
                value={value}
                onChange={({ currentTarget }) => set(currentTarget.value)}
              >
                {values.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </div>
        )
      })}
    </Fold>
  )
}

/** Returns the path of the first field of a scheme. */
function schemeField(name: string): string {
  return `/ ${name}`
}

/** Returns the chosen schemes for which the reader has entered nothing. */
export function emptySchemes(operation: Operation, state: RequestState) {
  return chosenSchemes(operation, state).flatMap(({ scheme: { type, name } }) => {
    const { value = '', username = '', password = '' } = state.credentials.get(name) ?? {}
    const isEmpty = type !== 'mutualTLS' && value + username + password === ''
    return isEmpty ? [{ name, field: schemeField(name) }] : []
  })
}

export function SecurityEditor(
  props: Props & { readonly wanted: string | undefined },
): JSX.Element | null {
  const { operation, state, change, wanted } = props
  const alternatives = securityOf(operation.page, operation.library.context)
  const words = useWords()
  if (alternatives.length === 0) return null
  const url = serverUrl(operation, state)
  // A password manager fills two fields at once, so each change must be applied to the latest
  // state.
  const set = (scheme: string, filled: Partial<Credential>) =>
    change((old) => {
      const credential = { value: '', ...old.credentials.get(scheme), ...filled }
      const credentials = withEntry(old.credentials, scheme, credential)
      remember(url, credentials)
      return { ...old, credentials }
    })
  const schemes = chosenSchemes(operation, state)
  return (
    <Fold
      title={words.apiAuthorization}
      hint={words.tryKept}
      isWanted={wanted?.startsWith(schemeField('')) === true}
    >
      {alternatives.length > 1 && (
        <select
          aria-label={words.tryWay}
          value={String(state.alternative)}
          onChange={({ currentTarget: { value } }) =>
            change((old) => ({ ...old, alternative: Number(value) }))
          }
        >
          {alternatives.map((one, index) => (
            <option key={index} value={String(index)}>
              {one.length === 0 ? words.apiNone : one.map(({ scheme }) => scheme).join(' & ')}
            </option>
          ))}
        </select>
      )}
      {schemes.map(({ scheme, scopes }) => (
        <SchemeFields
          key={scheme.name}
          scheme={scheme}
          scopes={scopes}
          url={url}
          credential={state.credentials.get(scheme.name) ?? { value: '' }}
          onSet={(filled) => set(scheme.name, filled)}
        />
      ))}
    </Fold>
  )
}

type SchemeProps = {
  readonly scheme: SecuritySchemeData
  readonly scopes: readonly string[]
  readonly url: string
  readonly credential: Credential
  readonly onSet: (filled: Partial<Credential>) => void
}

function SchemeFields(props: SchemeProps): JSX.Element {
  const { scheme, credential, onSet, url } = props
  const words = useWords()
  if (scheme.type === 'mutualTLS') {
    return (
      <p>
        {scheme.name}: {words.tryCertificate}
      </p>
    )
  }
  if (scheme.type === 'http' && scheme.scheme === 'basic') {
    return (
      <>
        <Secret
          id={idOf(schemeField(scheme.name))}
          label={words.tryUser}
          isPlain
          value={credential.username ?? ''}
          onInput={(username) => onSet({ username })}
        />
        <Secret
          label={words.tryPassword}
          value={credential.password ?? ''}
          onInput={(password) => onSet({ password })}
        />
      </>
    )
  }
  const isCookie = scheme.type === 'apiKey' && scheme.in === 'cookie'
  const label = scheme.type === 'apiKey' ? (scheme.key ?? scheme.name) : words.tryToken
  return (
    <>
      <Secret
        id={idOf(schemeField(scheme.name))}
        label={label}
        value={credential.value}
        onInput={(value) => onSet({ value })}
      />
      {isCookie && !canSetCookies(url) && <p class="oct-try-note">{words.tryCookie}</p>}
      {scheme.type === 'oauth2' && <SignIn {...props} />}
    </>
  )
}

function Secret(props: {
  readonly id?: string
  readonly label: string
  readonly value: string
  readonly isPlain?: boolean
  readonly onInput: (value: string) => void
}): JSX.Element {
  const own = useId()
  const { id = own } = props
  return (
    <div class="oct-try-field">
      <label class="oct-try-label" for={id}>
        {props.label}
      </label>
      <SecretInput
        id={id}
        isSecret={!props.isPlain}
        value={props.value}
        onInput={({ currentTarget: { value } }) => props.onInput(value)}
      />
    </div>
  )
}

/** Lets the reader get a token with one of the flows in the specification. */
function SignIn({ scheme, scopes, url, credential, onSet }: SchemeProps): JSX.Element | null {
  const [message, setMessage] = useState('')
  const words = useWords()
  const flow =
    scheme.flows?.find(({ kind }) => kind === 'authorizationCode') ??
    scheme.flows?.find(({ kind }) => kind === 'clientCredentials')
  if (flow === undefined) return null
  const isCode = flow.kind === 'authorizationCode'
  const { clientId = '', clientSecret = '' } = credential
  const ask = async () => {
    setMessage(words.tryWaiting)
    try {
      const input = { flow, serverUrl: url || location.href, clientId, clientSecret, scopes, words }
      const value = await (isCode ? askForCode(input) : askForClientToken(input))
      onSet({ value })
      setMessage(words.tryHasToken)
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <Secret
        label={words.tryClientId}
        isPlain
        value={clientId}
        onInput={(next) => onSet({ clientId: next })}
      />
      <Secret
        label={isCode ? words.tryOptionalSecret : words.tryClientSecret}
        value={clientSecret}
        onInput={(next) => onSet({ clientSecret: next })}
      />
      <button type="button" onClick={() => void ask()} disabled={clientId === ''}>
        {isCode ? words.trySignIn : words.tryGetToken}
      </button>
      {isCode && (
        <p class="oct-try-note">
          {words.tryRedirect} <code>{`${location.origin}${REDIRECT_PATH}`}</code>
        </p>
      )}
      <p role="status" class="oct-try-note">
        {message}
      </p>
    </>
  )
}
