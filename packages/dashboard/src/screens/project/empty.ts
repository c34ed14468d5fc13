/** The overview of a project without a deployment, which shows the first steps. */
import { DeploymentList, type Overview } from '@octavo/contract'
import { pageHead } from '../../parts/card.ts'
import { codeSample, copyButton, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { keepAccessNotice } from '../../parts/notice.ts'
import { deployFromMachine, octavoProgram } from '../../parts/octavo-command.ts'
import { stateTag } from '../../parts/state.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { failedBuildNotice } from './live-card.ts'

const REFRESH_SECONDS = 15

export function showEmptyProject(
  screen: ProjectScreen,
  failedBuild: Overview['failedBuild'],
): Response {
  const { project, options } = screen
  return projectPage(screen, {
    section: 'overview',
    title: 'Overview',
    refreshSeconds: REFRESH_SECONDS,
    body: html`
      ${pageHead({ title: project.name, lead: 'No deployment yet. Setup takes three steps and about five minutes.' })}
      ${keepAccessNotice(screen)}
      ${failedBuildNotice(screen, failedBuild)}
      <ol class="card teach">
        ${deployStep(screen)}
        ${connectStep(screen)}
        ${assistantStep(screen)}
      </ol>
      <section class="card id-card">
        <div><h2>Project ID</h2><p class="hint">For the command line and the API.</p></div>
        <span class="id">
          <span id="project-id">${project.id}</span>
          ${copyButton('project-id', 'Copy the project ID')}
        </span>
      </section>
      ${equivalentCommands(curlCommand({ url: options.url, path: apiPaths.project(project.id) }))}
    `,
  })
}

function deployStep({ project, options, path, may }: ProjectScreen): Html {
  const key = may('keys:write')
    ? html`In CI, use a key instead: <a class="link" href="${path('keys#new')}">Create a key</a>.`
    : 'In CI, use a key instead: ask an admin for a key that can deploy.'
  return html`
    <li class="is-current">
      <div>
        <h2>Deploy from your machine</h2>
        <p>
          Run these commands in a folder with a <code>docs.json</code>. No site
          yet? <code>${octavoProgram(options)} init</code> creates one.
        </p>
        <p data-poll="${path('newest.json')}">
          ${stateTag({ word: 'Waiting for the first deployment', tone: 'busy', sign: 'busy' })}
        </p>
      </div>
      <div class="stack">
        ${codeSample('deploy', deployFromMachine(options, project.id))}
        <p class="hint">
          The first command signs you in with this browser, and the second prints the address of the
          site. ${key}
        </p>
      </div>
    </li>
  `
}

function connectStep({ path, may }: ProjectScreen): Html {
  return html`
    <li>
      <div>
        <h2>Connect Git</h2>
        <p>After that, every push is built and published, and every pull request gets a preview.</p>
      </div>
      <div class="stack">
        ${
          may('project:write')
            ? html`<p><a class="button" href="${path('connection')}">${icon('branch')}Connect a repository</a></p>`
            : html`<p class="hint">An admin can connect a repository.</p>`
        }
        <p class="hint">Or keep your CI, and run <code>octavo deploy</code> in it.</p>
      </div>
    </li>
  `
}

function assistantStep({ path, may }: ProjectScreen): Html {
  return html`
    <li>
      <div>
        <h2>Try the assistant</h2>
        <p>
          It is turned on. It answers readers’ questions from your pages and cites its sources. You can see what
          readers ask.
        </p>
      </div>
      <div class="stack">
        ${
          may('project:write')
            ? html`<p><a class="button" href="${path('assistant')}">${icon('bot')}Assistant settings</a></p>`
            : html`<p class="hint">An admin can change the settings of the assistant.</p>`
        }
        <p class="hint">Available after the first deployment, because the assistant needs pages to read.</p>
      </div>
    </li>
  `
}

/**
 * Responds with whether the project has a deployment. The page's script polls it until there is
 * one.
 */
export async function listNewest({ visit, project }: ProjectScreen): Promise<Response> {
  const path = apiPaths.project(project.id, '/deployments', { limit: 1 })
  const { deployments } = await readApi(visit.api, DeploymentList, path)
  return Response.json(
    { hasDeployment: deployments.length > 0 },
    { headers: { 'cache-control': 'no-store' } },
  )
}
