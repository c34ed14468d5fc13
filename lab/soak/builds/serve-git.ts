/**
 * Runs the Git server as a separate process, so that it can be killed:
 * `node serve-git.ts <folder> <port> <file>`. The file has the token of each repository. No secret
 * may be in the arguments or the environment, where the search for canaries would find it.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { startGitServer } from '../../../packages/service/testing/git-server.ts'

const [root = '', port = '', tokensFile = ''] = process.argv.slice(2)
const tokens = new Map<string, string>(
  Object.entries(JSON.parse(readFileSync(tokensFile, 'utf8')) as Record<string, string>),
)

const server = await startGitServer(root, Number(port))
server.intercept = ({ url = '', headers }, response) => {
  server.requests.length = 0
  const [, name = ''] = /^\/([^/]+)\.git\//.exec(url) ?? []
  const [, given = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? []
  const password = Buffer.from(given, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '')
  // The token of a repository grants no access to other repositories.
  if (tokens.get(name) === password) return false
  response.writeHead(401, { 'www-authenticate': 'Basic realm="Git"' }).end()
  return true
}
process.stdout.write('listening\n')
