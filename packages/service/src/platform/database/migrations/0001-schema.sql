-- All tables, by noun. Functions and triggers are in functions/.
--
-- Tables of a project have project_id first in their key, tables of an organization organization_id, tables of a person
-- user_id. Row-level security is the second lock: the role of the service sees only rows of the tenant that its
-- transaction is bound to, and none without one.
--
-- The owner of the tables migrates and maintains them; policies do not bind it. The service logs in as a member of
-- octavo_app, and refuses to start as anybody whom policies do not bind. `migrate` creates the roles.

grant usage on schema public to octavo_app, octavo_definer;

-- Ids are 60 random bits, so that those of two cells do not collide.
create function random_id() returns bigint
language sql volatile as $$
  select ('x0' || substr(translate(gen_random_uuid()::text, '-', ''), 18, 15))::bit(64)::bigint
$$;

-- Organizations and projects -----------------------------------------------------------

create table organization (
  id                bigint primary key default random_id(),
  public_id         text not null unique check (public_id ~ '^org_[0-9a-z]{16}$'),
  name              text not null check (length(name) between 1 and 200),
  created_at        timestamptz not null default now(),
  -- What it may store; no limit without it.
  storage_bytes_max bigint check (storage_bytes_max >= 0),
  -- Its members do not find it from then on. It goes once its last project is gone.
  deleted_at        timestamptz
);
create index organization_deleted on organization (deleted_at) where deleted_at is not null;

create table project (
  organization_id  bigint not null references organization on delete cascade,
  id               bigint not null unique default random_id(),
  public_id        text not null unique check (public_id ~ '^prj_[0-9a-z]{16}$'),
  -- Part of the host name of its site.
  slug             text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$'),
  name             text not null check (length(name) between 1 and 200),
  settings         jsonb not null default '{}',
  protection       text not null default 'public' check (protection in ('public', 'password', 'members', 'oidc', 'jwt')),
  -- How long conversations are kept.
  retention_days   integer not null default 730 check (retention_days between 1 and 3660),
  created_at       timestamptz not null default now(),
  -- Why readers and deployments are refused.
  suspended_reason text check (length(suspended_reason) between 1 and 1000),
  -- While it is archived, its site is not served and nothing is added to it.
  archived_at      timestamptz,
  -- Readers and callers do not find it from then on. Its rows go 7 days later, in batches.
  deleted_at       timestamptz,
  -- It moves to another cell: from then on nothing of it changes here, and readers go on. Only the operator sets it.
  moving_since     timestamptz,
  primary key (organization_id, id)
);
-- What is deleted is looked for every hour, and there is little of it.
create index project_deleted on project (deleted_at) where deleted_at is not null;

-- All short names that a project has and had. Readers of an old one are sent on, so it belongs to its project
-- for as long as there is a row of that.
create table project_slug (
  project_id bigint not null references project (id) on delete cascade,
  slug       text not null unique,
  since      timestamptz not null default now(),
  primary key (project_id, slug)
);

-- Bytes that the projects of an organization store.
create table storage_usage (
  organization_id bigint primary key references organization on delete cascade,
  bytes           bigint not null
) with (fillfactor = 50);

-- What readers of a project were sent, a row a day.
create table traffic (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  requests   bigint not null,
  bytes      bigint not null,
  primary key (project_id, day)
) with (fillfactor = 50);

grant select, update (name, deleted_at) on organization to octavo_app;
grant select, insert (organization_id, public_id, slug, name), update (name, settings, retention_days, slug, archived_at, protection)
  on project to octavo_app;
grant select on project_slug, traffic to octavo_app;
grant select, insert, update on storage_usage to octavo_app;

-- Keys, secrets and limits -------------------------------------------------------------

-- Admin keys and deploy tokens.
create table api_key (
  project_id      bigint not null references project (id) on delete cascade,
  id              bigint not null default random_id(),
  kind            text not null check (kind in ('admin', 'deploy')),
  token_hash      bytea not null unique,
  last_four       text not null,
  name            text not null default '',
  scopes          text[] not null,
  allowed_from    cidr[],
  created_at      timestamptz not null default now(),
  expires_at      timestamptz,
  revoked_at      timestamptz,
  last_used_at    timestamptz,
  -- The same words as in audit_event: `operator`, `key <id>`, `user <id>`, or the job of CI.
  created_by      text,
  -- The key that it was made for when that was rotated.
  replaces        bigint,
  idempotency_key text check (length(idempotency_key) <= 200),
  -- Which pepper it was hashed with; here and below. A pepper can be removed once nothing depends on it.
  pepper_id       text not null check (length(pepper_id) <= 20),
  primary key (project_id, id)
);
create unique index api_key_idempotency on api_key (project_id, idempotency_key) where idempotency_key is not null;
create index api_key_created on api_key (project_id, created_at, id);
create index api_key_expiring on api_key (expires_at) where revoked_at is null and expires_at is not null;

-- Tokens of other services, encrypted by the service (secrets/key-ring.ts).
create table secret (
  project_id bigint not null references project (id) on delete cascade,
  name       text not null check (length(name) between 1 and 100),
  key_id     text not null,
  sealed     bytea not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- Which keys this database was used with, so that a process with other keys does not start. A value tells nothing about its
-- key. The service reads and adds rows through functions alone; the owner deletes one whose key is lost.
create table key_check (
  name  text primary key,
  value text not null
);

-- How often a project did something expensive since its window began. It may be lost in a crash, so
-- it is not in the log.
create unlogged table action_count (
  project_id bigint not null references project (id) on delete cascade,
  action     text not null,
  began_at   timestamptz not null,
  used       integer not null,
  primary key (project_id, action)
) with (fillfactor = 50);

grant select, insert, update (last_used_at, revoked_at, expires_at) on api_key to octavo_app;
grant select, insert, update, delete on secret to octavo_app;
grant select, insert, update on action_count to octavo_app;

-- Audit log ----------------------------------------------------------------------------

-- What was done, by whom, to what. Rows are added and never changed.
create table audit_event (
  organization_id bigint not null references organization on delete cascade,
  id              bigint not null default random_id(),
  project_id      bigint,
  at              timestamptz not null default clock_timestamp(),
  actor           text not null,
  action          text not null,
  object          text not null default '',
  before          jsonb,
  after           jsonb,
  -- The network that it came from, not the whole address.
  address_prefix  text,
  request_id      text,
  primary key (organization_id, id)
);
create index audit_event_at on audit_event (organization_id, at);
-- Events about people are in the log of their project and in that of the organization.
create index audit_event_of_people on audit_event (organization_id, at, id) where action ~ '^(member|sign-in)\.';
create index audit_event_of_project on audit_event (organization_id, project_id, at, id);

grant select, insert on audit_event to octavo_app;

-- People and their roles ---------------------------------------------------------------

create table app_user (
  id          bigint primary key default random_id(),
  public_id   text not null unique check (public_id ~ '^usr_[0-9a-z]{16}$'),
  email       text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name        text not null check (length(name) between 1 and 200),
  created_at  timestamptz not null default now(),
  disabled_at timestamptz,
  -- When the person first proved the address: with a code from the mailbox, a verified account at an
  -- identity provider, or the word of the operator. That revokes the credentials made before it.
  verified_at timestamptz,
  -- A link made the account, so it may have no way to sign in again: neither a passkey, nor recovery codes, nor an
  -- account at an identity provider. It gets one before anything else is shown.
  made_by_link boolean not null default false
);

create table membership (
  organization_id bigint not null references organization on delete cascade,
  id              bigint not null default random_id(),
  user_id         bigint not null references app_user on delete cascade,
  -- One project; all of the organization without it.
  project_id      bigint,
  role            text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'viewer')),
  created_at      timestamptz not null default now(),
  -- The issuer whose groups gave the role, and may take it away again; nothing for a role that a person gave.
  granted_by      text,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, user_id, project_id),
  foreign key (organization_id, project_id) references project (organization_id, id) on delete cascade
);
create index membership_user on membership (user_id);

-- Accepting or withdrawing one deletes it.
create table invitation (
  organization_id bigint not null references organization on delete cascade,
  id              bigint not null default random_id(),
  token_hash      bytea not null unique,
  email           text not null check (email = lower(email) and length(email) between 3 and 254),
  project_id      bigint,
  role            text not null check (role in ('owner', 'admin', 'editor', 'analyst', 'viewer')),
  invited_by      text not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, email, project_id),
  foreign key (organization_id, project_id) references project (organization_id, id) on delete cascade
);

grant select, update (name) on app_user to octavo_app;
grant select, insert, update (role), delete on membership to octavo_app;
grant select, insert, delete on invitation to octavo_app;

-- Signing in ---------------------------------------------------------------------------

-- A browser or a command line that is signed in. Signing out deletes the row.
create table user_session (
  user_id          bigint not null references app_user on delete cascade,
  id               bigint not null default random_id(),
  token_hash       bytea not null unique,
  kind             text not null check (kind in ('browser', 'command-line')),
  -- What the browser says it is, shortened; for people to know their own sessions.
  device           text not null default '' check (length(device) <= 200),
  -- The network that it was begun from, not the whole address.
  address_prefix   text,
  created_at       timestamptz not null default now(),
  -- When the person last proved who they are; dangerous actions want it to be recent.
  authenticated_at timestamptz not null default now(),
  last_seen_at     timestamptz not null default now(),
  expires_at       timestamptz not null,
  pepper_id        text not null check (length(pepper_id) <= 20),
  primary key (user_id, id)
);

-- An account at an identity provider. Its subject never changes; an address can be given to somebody else.
create table user_identity (
  user_id      bigint not null references app_user on delete cascade,
  id           bigint not null default random_id(),
  issuer       text not null check (length(issuer) between 1 and 2000),
  subject      text not null check (length(subject) between 1 and 255),
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, id),
  unique (issuer, subject)
);

-- A link that signs a person in once, or lets the first owner set up the service.
create table sign_in_link (
  token_hash bytea primary key,
  kind       text not null check (kind in ('setup', 'login')),
  user_id    bigint references app_user on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'setup') = (user_id is null))
);

-- A code in a mail, for the browser that asked, and a link in the same mail. Using one uses up both.
create table sign_in_code (
  browser_hash bytea primary key,
  code_hash    bytea not null,
  link_hash    bytea not null unique,
  email        text not null check (email = lower(email) and length(email) between 3 and 254),
  next_path    text not null check (length(next_path) <= 2000),
  tries_left   integer not null,
  expires_at   timestamptz not null
);
create index sign_in_code_email on sign_in_code (email);

-- Counts attempts, by the hash of a network address or of an e-mail address.
create table sign_in_count (
  key_hash bytea primary key,
  began_at timestamptz not null,
  used     integer not null
);
create index sign_in_count_began on sign_in_count (began_at);

-- What works once and is not kept anywhere until it is used: states of sign-ins, challenges.
create table used_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);

create table passkey (
  user_id       bigint not null references app_user on delete cascade,
  id            bigint not null default random_id(),
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key    bytea not null check (length(public_key) <= 4000),
  -- How often the authenticator says it was used; many always say 0.
  counter       bigint not null,
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 100),
  is_synced     boolean not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  primary key (user_id, id)
);

-- Using one deletes it.
create table recovery_code (
  user_id    bigint not null references app_user on delete cascade,
  id         bigint not null default random_id(),
  code_hash  bytea not null,
  created_at timestamptz not null default now(),
  pepper_id  text not null check (length(pepper_id) <= 20),
  -- When the person said that the codes are saved, or used one of them. Codes work before that, too.
  saved_at   timestamptz,
  primary key (user_id, id),
  unique (user_id, code_hash)
);

-- A command line that waits for approval in a browser.
create table device_request (
  device_hash    bytea primary key,
  code_hash      bytea not null unique,
  device         text not null check (length(device) <= 200),
  address_prefix text,
  -- Who said yes, or no.
  user_id        bigint references app_user on delete cascade,
  is_denied      boolean not null default false,
  polled_at      timestamptz,
  expires_at     timestamptz not null
);

grant select, insert, update (last_seen_at, authenticated_at, token_hash, pepper_id), delete on user_session to octavo_app;
grant select on user_identity, sign_in_link, sign_in_code, sign_in_count, used_token, device_request to octavo_app;
grant select, insert, update (counter, last_used_at, name), delete on passkey to octavo_app;
grant select, insert, delete, update (saved_at) on recovery_code to octavo_app;

-- Readers of a site --------------------------------------------------------------------

-- What the owner set for each way. A project without a row has a public site, or one for members.
create table site_access (
  project_id    bigint primary key references project (id) on delete cascade,
  -- Sessions of another epoch are over: it grows when the mode changes, and when the owner ends all sessions.
  epoch         integer not null default 0,
  -- `default`: for members if the repository is private, otherwise as the site.
  previews      text not null default 'default' check (previews in ('default', 'site', 'members')),
  session_hours integer not null default 168 check (session_hours between 1 and 720),
  -- scrypt, with its parameters and salt.
  password_hash text check (length(password_hash) <= 300),
  password_set_at timestamptz,
  -- When the mode was chosen; nothing for the mode that the project began with.
  mode_set_at   timestamptz,
  -- The issuer and what it knows us by; the client secret is encrypted, in `secret`.
  oidc          jsonb check (length(oidc::text) <= 10000),
  -- Where readers sign in, and the public keys of the signer.
  jwt           jsonb check (length(jwt::text) <= 50000)
);

-- A browser that is signed in to one host, or a token that the owner made for a program.
create table reader_session (
  project_id bigint not null references project (id) on delete cascade,
  token_hash bytea not null check (length(token_hash) = 32),
  way        text not null check (way in ('password', 'members', 'oidc', 'jwt', 'token')),
  -- Nothing for a token, which is for all hosts of the project.
  host       text collate "C" check (length(host) <= 260),
  epoch      integer not null,
  -- Of a member the role counts, as it is at the time of a request.
  groups     text[] not null default '{}' check (cardinality(groups) <= 100),
  user_id    bigint references app_user on delete cascade,
  -- What the owner knows a token by.
  id         text collate "C" check (length(id) <= 20),
  name       text check (length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  -- Who made a token, as in the audit log, and when it was used, to the hour.
  created_by text check (length(created_by) <= 40),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  pepper_id  text not null check (length(pepper_id) <= 20),
  primary key (project_id, token_hash),
  check ((way = 'token') = (host is null)),
  check ((way = 'token') = (id is not null and name is not null)),
  check ((way = 'members') = (user_id is not null))
);
create unique index reader_session_hash on reader_session (token_hash);
create index reader_session_expires on reader_session (expires_at);
create index reader_session_user on reader_session (user_id) where user_id is not null;
create unique index reader_session_tokens on reader_session (project_id, id) where way = 'token';

grant select, insert, update on site_access to octavo_app;
grant select, insert, delete on reader_session to octavo_app;

-- Domains ------------------------------------------------------------------------------

create table domain_claim (
  project_id    bigint not null references project (id) on delete cascade,
  -- As `parse-domain.ts` gives it: lower case, punycode, no dot at the end.
  name          text collate "C" not null check (length(name) between 4 and 253 and name ~ '^[a-z0-9.-]+$'),
  -- The value of the TXT record that proves the claim. Another organization has another one.
  token         text collate "C" not null check (length(token) = 32),
  -- `waiting`: never proven. `active`: the site is served there. `lapsed`: the record was gone for 7 days.
  -- `lost`: another organization proved the name when the record was gone. `removed`: by a member.
  state         text not null default 'waiting' check (state in ('waiting', 'active', 'lapsed', 'lost', 'removed')),
  -- Readers are sent to the name with `www.`, or without it, which the project has too.
  redirects     boolean not null default false,
  -- What the last check saw.
  checks        jsonb,
  created_at    timestamptz not null default now(),
  -- When the record was seen last, and since when an active claim misses it.
  seen_at       timestamptz,
  missing_since timestamptz,
  -- When it lapsed, was lost or removed.
  ended_at      timestamptz,
  next_check_at timestamptz not null default now(),
  primary key (project_id, name)
);
-- Whatever else goes wrong, no name leads to two projects.
create unique index domain_claim_active on domain_claim (name) where state = 'active';
create index domain_claim_name on domain_claim (name);
create index domain_claim_due on domain_claim (next_check_at) where state <> 'removed';
create index domain_claim_ended on domain_claim (ended_at) where ended_at is not null;

grant select, update (redirects, checks) on domain_claim to octavo_app;

-- Deployments --------------------------------------------------------------------------

create table deployment (
  project_id      bigint not null references project (id) on delete cascade,
  -- A ULID.
  id              text collate "C" not null,
  -- The order in which deployments were accepted. A later one is never replaced by an earlier one
  -- that took longer.
  number          bigint not null,
  state           text not null default 'uploading' check (state in ('uploading', 'ready', 'failed', 'cancelled', 'expired', 'removed')),
  is_draft        boolean not null default false,
  branch          text check (length(branch) <= 250),
  message         text check (length(message) <= 1000),
  commit_sha      text check (length(commit_sha) <= 100),
  idempotency_key text check (length(idempotency_key) <= 200),
  -- The digest of the root of its manifest.
  root            bytea not null check (length(root) = 32),
  file_count      integer,
  byte_count      bigint,
  created_by      text not null,
  created_at      timestamptz not null default now(),
  finished_at     timestamptz,
  published_at    timestamptz,
  -- When another deployment went live in its place.
  superseded_at   timestamptz,
  -- When what only this deployment needed was given back. Empty again once it is no longer kept.
  collected_at    timestamptz,
  target          text not null default 'production' check (target in ('production', 'preview')),
  primary key (project_id, id),
  check (target = 'production' or branch is not null)
);
create unique index deployment_number on deployment (project_id, number);
create index deployment_uploading on deployment (created_at) where state = 'uploading';
create unique index deployment_idempotency on deployment (project_id, idempotency_key) where idempotency_key is not null;
create index deployment_superseded on deployment (project_id, superseded_at) where superseded_at is not null;
create index deployment_uncollected on deployment (finished_at) where collected_at is null and finished_at is not null;
create index deployment_preview on deployment (project_id, branch, number) where target = 'preview';
create index deployment_published on deployment (project_id, published_at) where published_at is not null;
create index deployment_branch on deployment (project_id, branch, id);

-- How the specifications of a deployment differ from those of the deployment that was live when it
-- was finished.
create table api_comparison (
  project_id    bigint not null references project (id) on delete cascade,
  deployment_id text collate "C" not null,
  -- Empty if no deployment was live.
  base_id       text collate "C",
  created_at    timestamptz not null default now(),
  -- Empty until they are compared.
  result        jsonb,
  primary key (project_id, deployment_id)
);
create index api_comparison_due on api_comparison (project_id, deployment_id) where result is null;
grant select, insert, update, delete on api_comparison to octavo_app;

-- The results of `octavo test` that were sent with a deployment.
create table sample_proof (
  project_id    bigint not null references project (id) on delete cascade,
  deployment_id text collate "C" not null,
  sent_at       timestamptz not null default now(),
  ran_at        timestamptz not null,
  octavo        text not null,
  runtimes      text[] not null,
  passed        integer not null,
  failed        integer not null,
  not_run       integer not null,
  -- The starts of the hashes of samples that passed, by page and language.
  pages         jsonb not null,
  primary key (project_id, deployment_id),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
);
grant select, insert, update, delete on sample_proof to octavo_app;

create table preview (
  project_id    bigint not null references project (id) on delete cascade,
  -- The label of its host.
  name          text collate "C" not null check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  branch        text not null check (length(branch) between 1 and 250),
  deployment_id text collate "C" not null,
  changed_at    timestamptz not null default clock_timestamp(),
  -- When it is over, the row stays for a while: hosts have to see that.
  expires_at    timestamptz not null,
  -- Scripts of authors run in the preview of a fork once a maintainer has approved the deployment.
  runs_scripts  boolean not null default true,
  primary key (project_id, name),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
);
create unique index preview_name on preview (name);
create index preview_branch on preview (project_id, branch, expires_at);
create index preview_deployment on preview (project_id, deployment_id);
create index preview_changed on preview (changed_at);
create index preview_expires on preview (expires_at);

-- One row a project that has ever been deployed. Publishing changes the pointer and nothing else.
create table publication (
  project_id    bigint primary key references project (id) on delete cascade,
  deployment_id text collate "C",
  last_number   bigint not null default 0,
  -- Deployments are finished but not published while there is a reason.
  lock_reason   text check (length(lock_reason) between 1 and 1000),
  changed_at    timestamptz not null default clock_timestamp(),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
) with (fillfactor = 50);
create index publication_changed on publication (changed_at);

-- Blobs that a project has sent. What others have sent is missing to it, so nobody learns of it.
create table project_blob (
  project_id bigint not null references project (id) on delete cascade,
  sha256     bytea not null check (length(sha256) = 32),
  size       bigint not null check (size >= 0),
  stored_at  timestamptz not null default now(),
  primary key (project_id, sha256)
);
-- Does anybody need this blob?
create index project_blob_sha256 on project_blob (sha256);

-- Blobs that are being deleted from the store, and those that just were: a file that was sent at the
-- same time is not taken for stored. It belongs to nobody, so only functions see it.
create table deleted_blob (
  sha256      bytea primary key,
  claimed_at  timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

create table deployment_vectors (
  project_id    bigint not null,
  deployment_id text collate "C" not null,
  -- Vectors of two models do not compare.
  model         text not null check (length(model) between 1 and 500),
  -- Empty where nothing can be found by meaning.
  sha256        bytea check (length(sha256) = 32),
  -- When to go on with what is not done; empty when it is.
  try_after     timestamptz,
  -- How many passages there are, and how many of them had to be embedded.
  passages      integer not null,
  embedded      integer not null,
  changed_at    timestamptz not null default now(),
  primary key (project_id, deployment_id),
  foreign key (project_id, deployment_id) references deployment (project_id, id) on delete cascade
);

grant select, insert, update on deployment, preview, publication to octavo_app;
grant select, insert, update (stored_at), delete on project_blob to octavo_app;
grant select, insert, update, delete on deployment_vectors to octavo_app;

-- Builds -------------------------------------------------------------------------------

create table connection (
  project_id      bigint primary key references project (id) on delete cascade,
  provider        text not null check (provider in ('github', 'gitlab', 'gitea', 'git')),
  -- Where Git clones from, without credentials: https, http or ssh.
  url             text not null check (length(url) <= 2000),
  -- How Git signs in. The secret itself is encrypted, in `secret`.
  credential      text not null default 'none' check (credential in ('none', 'token', 'ssh-key', 'github-app')),
  -- The branch that is published; without one, the default branch of the repository.
  branch          text check (length(branch) between 1 and 250),
  -- The folder with docs.json; empty for the root of the repository.
  folder          text not null default '' check (length(folder) <= 500),
  -- Whether other branches and pull requests are built as previews, and pull requests from forks too.
  previews        boolean not null default true,
  forks           boolean not null default true,
  -- The part of the webhook address that cannot be guessed.
  webhook_id      text collate "C" not null unique check (length(webhook_id) between 20 and 64),
  -- Of the GitHub App.
  installation_id bigint,
  -- How often hosted specifications are looked at; never without it.
  refresh_minutes integer check (refresh_minutes between 5 and 44640),
  refreshed_at    timestamptz,
  -- When the repository was last compared with what was built, why that failed, and when it is next.
  checked_at      timestamptz,
  check_error     text check (length(check_error) <= 2000),
  -- Failed checks in a row: the more, the longer the wait.
  check_failures  integer not null default 0,
  -- When it was last read or tried, what failed then (nothing if it can be built), since when, and what Git said.
  attempted_at    timestamptz,
  failed_step     text check (failed_step in ('reachable', 'access', 'branch')),
  failed_since    timestamptz,
  git_said        text check (length(git_said) <= 500),
  -- Whether the folder had a docs.json when it was last looked at.
  has_docs_json   boolean,
  -- When the URL was set: webhooks of before came from another repository.
  url_since       timestamptz not null default now(),
  -- When open pull requests were first listed: those of before are not all built.
  pulls_listed_at timestamptz,
  next_check_at   timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  -- What the Git host says of the repository; nothing where it was not asked.
  is_private      boolean
);
create index connection_next_check on connection (next_check_at);

-- Branches and open pull requests as they were last seen.
create table git_ref (
  project_id    bigint not null references project (id) on delete cascade,
  -- The name of a branch, or `pull/<number>` for a pull request from a fork.
  name          text not null check (length(name) between 1 and 250),
  commit_sha    text not null check (length(commit_sha) between 40 and 64),
  -- The commit of the newest build that came to an end which is no accident: finished, failed or skipped.
  built_sha     text check (length(built_sha) between 40 and 64),
  -- Whether it was the branch that is published.
  is_production boolean not null default false,
  pull_request  integer,
  pull_url      text check (length(pull_url) <= 2000),
  is_fork       boolean not null default false,
  -- The one comment on the pull request.
  comment_id    text check (length(comment_id) <= 100),
  -- What it tells of: pull request, build, approval.
  comment_key   text check (length(comment_key) <= 100),
  seen_at       timestamptz not null default now(),
  primary key (project_id, name)
);

create table build (
  project_id          bigint not null references project (id) on delete cascade,
  -- A ULID.
  id                  text collate "C" not null,
  -- From the same sequence as those of deployments: the deployment of a build takes the number of the build, which
  -- was given when the push was accepted.
  number              bigint not null,
  target              text not null check (target in ('production', 'preview')),
  ref                 text not null check (length(ref) between 1 and 250),
  commit_sha          text not null check (length(commit_sha) between 40 and 64),
  message             text check (length(message) <= 1000),
  author              text check (length(author) <= 200),
  pull_request        integer,
  is_fork             boolean not null default false,
  trigger             text not null check (trigger in ('webhook', 'check', 'api', 'schedule', 'retry')),
  state               text not null default 'queued'
    check (state in ('queued', 'fetching', 'building', 'uploading', 'finished', 'failed', 'skipped', 'superseded', 'cancelled')),
  -- Why it failed, was skipped or cancelled, for people.
  reason              text check (length(reason) <= 2000),
  attempts            integer not null default 0,
  is_cancel_requested boolean not null default false,
  -- Of a preview that was asked for by the API: its address is told before there is one.
  preview_name        text collate "C" check (length(preview_name) <= 63),
  deployment_id       text collate "C",
  error_count         integer not null default 0,
  warning_count       integer not null default 0,
  -- As `octavo check --json` prints them; the first thousand.
  diagnostics         jsonb not null default '[]',
  -- Files of the documentation folder that the build did not read, compressed: what changes there needs no build.
  unread_files        bytea,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  finished_at         timestamptz,
  -- The state that was last sent to the provider; empty until then.
  reported_state      text,
  -- Why the state could not be sent to the provider, for the owner.
  report_error        text check (length(report_error) <= 2000),
  -- The owner's webhook was told of its end, or there is none.
  is_announced        boolean not null default false,
  primary key (project_id, id),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
);
create unique index build_number on build (project_id, number);
create index build_ref on build (project_id, ref, number);
create index build_unreported on build (project_id) where state is distinct from reported_state;
create index build_unannounced on build (project_id) where not is_announced and state in ('failed', 'superseded');
create index build_open on build (project_id, number) where state in ('queued', 'fetching', 'building', 'uploading');
-- The newest build of the live branch that came to an end.
create index build_settled on build (project_id, number)
  where target = 'production' and state in ('finished', 'failed', 'skipped');
-- What is due is found in these, however many projects there are.
create index build_failed on build (finished_at) where state = 'failed' and target = 'production';

create table build_log (
  project_id bigint not null references project (id) on delete cascade,
  build_id   text collate "C" not null,
  line       integer not null,
  at         timestamptz not null default clock_timestamp(),
  text       text not null check (length(text) <= 4000),
  primary key (project_id, build_id, line),
  foreign key (project_id, build_id) references build (project_id, id) on delete cascade
);

-- The compile cache of a project in the blob store, so that another worker starts warm.
create table build_cache (
  project_id bigint primary key references project (id) on delete cascade,
  sha256     bytea not null check (length(sha256) = 32),
  size       bigint not null,
  saved_at   timestamptz not null default now()
);

-- What was sent to the webhook address, accepted or refused, for the owner to read. Kept for 30 days.
create table webhook_delivery (
  project_id  bigint not null references project (id) on delete cascade,
  id          bigint generated always as identity,
  -- Of the provider; the same twice within 7 days is a replay.
  delivery_id text check (length(delivery_id) <= 200),
  received_at timestamptz not null default now(),
  event       text check (length(event) <= 100),
  -- The branch, or `pull/<number>`, that it says has changed; nothing if it may be any.
  ref         text check (length(ref) <= 250),
  status      integer not null,
  reason      text check (length(reason) <= 2000),
  headers     jsonb not null,
  -- Cut.
  body        text not null check (length(body) <= 10000),
  primary key (project_id, id)
);
create unique index webhook_delivery_accepted on webhook_delivery (project_id, delivery_id) where status = 202;
create index webhook_delivery_received on webhook_delivery (received_at);
create index webhook_delivery_recent on webhook_delivery (project_id, received_at);

grant select, insert, update, delete on connection, git_ref to octavo_app;
grant select, insert, update on build, build_cache to octavo_app;
grant select, insert on build_log, webhook_delivery to octavo_app;

-- Conversations ------------------------------------------------------------------------

-- One row a project: the last id that was given out, as its millisecond and counter.
-- Half-empty pages keep the updates in place.
create table conversation_sequence (
  project_id   bigint primary key references project (id) on delete cascade,
  last_ms      bigint not null default 0,
  last_counter integer not null default 0
) with (fillfactor = 50);

-- A question from the moment it is accepted until its conversation is published. Then only the id
-- of the conversation stays, so that publishing again gives the same. Ids are ULIDs; one partition
-- a day, dropped after a week.
create table question (
  project_id      bigint not null,
  id              text collate "C" not null,
  query           text,
  thread_id       text,
  page_url        text,
  reader          text,
  conversation_id text collate "C",
  -- A stream that answers a question has its lease, and renews it with the text so far.
  deployment_id   text collate "C",
  lease           text,
  leased_until    timestamptz,
  saved_text      text,
  -- Set aside in assistant_usage of that day until the question is published.
  reserved_tokens bigint not null default 0,
  reserved_on     date,
  primary key (project_id, id)
) partition by range (id);
create index question_open on question (id) where conversation_id is null;
create index question_reader on question (project_id, reader) where reader is not null;

-- Partitioned by id, which begins with the time, so that old months can be dropped at once. History
-- from before the first month is in conversation_history; there is no default partition.
create table conversation (
  project_id        bigint not null,
  id                text collate "C" not null,
  recorded_at       timestamptz(3) not null,
  query             text not null,
  response          text not null,
  sources           json not null,
  resolution_status text not null check (resolution_status in ('answered', 'unanswered')),
  query_category    text,
  thread_id         text,
  page_url          text,
  reader            text,
  primary key (project_id, id)
) partition by range (id);
create index conversation_reader on conversation (project_id, reader) where reader is not null;
-- Filters of the list that match few rows. One that matches many walks the primary key.
create index conversation_unanswered on conversation (project_id, id) where resolution_status = 'unanswered';
create index conversation_category on conversation (project_id, query_category, id) where query_category is not null;

-- What an owner may know of a conversation beside it: conversations never change, and their export
-- keeps its keys. Partitions and retention are those of conversations.
create table conversation_detail (
  project_id    bigint not null,
  id            text collate "C" not null,
  reason        text check (reason in ('declared', 'no-sources', 'low-support', 'stopped', 'budget',
                                       'provider-error', 'interrupted')),
  deployment_id text collate "C",
  model         text,
  used_tokens   bigint not null default 0,
  is_cached     boolean not null default false,
  -- Pages that came nearest when there was no answer.
  nearest       json,
  primary key (project_id, id)
) partition by range (id);

create table conversation_feedback (
  project_id bigint not null,
  id         text collate "C" not null,
  at         timestamptz not null default clock_timestamp(),
  is_helpful boolean not null,
  reason     text check (length(reason) <= 50),
  note       text check (length(note) <= 1000),
  primary key (project_id, id)
) partition by range (id);
create index conversation_feedback_kind on conversation_feedback (project_id, is_helpful, id);

-- How many conversations there are of a day (UTC), and how they were rated. Counted when they are written and
-- deleted: counting a million rows for every look at a chart would cost a second.
create table conversation_day (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  answered   integer not null default 0,
  unanswered integer not null default 0,
  helpful    integer not null default 0,
  unhelpful  integer not null default 0,
  primary key (project_id, day)
) with (fillfactor = 50);

-- Conversations that were deleted and must not come back by an import.
create table erased_conversation (
  project_id bigint not null references project (id) on delete cascade,
  id         text collate "C" not null,
  primary key (project_id, id)
);

-- Imports without a timestamp, so that sending a batch again within a week changes nothing.
create table import_receipt (
  project_id      bigint not null references project (id) on delete cascade,
  question_id     text not null check (length(question_id) between 1 and 100),
  conversation_id text collate "C" not null,
  at              timestamptz not null default clock_timestamp(),
  primary key (project_id, question_id)
);
create index import_receipt_at on import_receipt (at);

-- Each import of history with the range of ids it wrote, so that an incremental client knows what to
-- read again.
create table backfill (
  project_id         bigint not null references project (id) on delete cascade,
  id                 bigint generated always as identity,
  at                 timestamptz not null default clock_timestamp(),
  first_id           text collate "C" not null,
  last_id            text collate "C" not null,
  conversation_count integer not null,
  primary key (project_id, id)
);

grant select, insert, update on conversation_sequence, conversation_day to octavo_app;
grant select, insert, update, delete on question, conversation_feedback to octavo_app;
grant select, insert, delete on conversation, conversation_detail to octavo_app;
grant select, insert on erased_conversation, import_receipt, backfill to octavo_app;

-- Assistant ----------------------------------------------------------------------------

-- What the owner set; its key is in secret. Without a row, or without a model, nothing is set.
create table assistant (
  project_id       bigint primary key references project (id) on delete cascade,
  is_on            boolean not null default true,
  masks            boolean not null default true,
  model            jsonb,
  tokens_per_day   bigint check (tokens_per_day >= 0),
  tokens_per_month bigint check (tokens_per_month >= 0),
  updated_at       timestamptz not null default now(),
  -- Readers of the project compute for a second before they get a ticket.
  needs_proof      boolean not null default false,
  -- Readers' answered questions are asked again in previews.
  asks_in_previews boolean not null default false
);

-- What the assistant of a project used on a day (UTC). Half-empty pages keep the updates in place.
create table assistant_usage (
  project_id      bigint not null references project (id) on delete cascade,
  day             date not null,
  questions       integer not null default 0,
  cached          integer not null default 0,
  reserved_tokens bigint not null default 0,
  used_tokens     bigint not null default 0,
  saved_tokens    bigint not null default 0,
  primary key (project_id, day)
) with (fillfactor = 50);

grant select, insert, update on assistant, assistant_usage to octavo_app;

-- Gaps ---------------------------------------------------------------------------------

create table gap (
  project_id            bigint not null references project (id) on delete cascade,
  id                    text collate "C" not null,
  state                 text not null default 'open'
                 check (state in ('open', 'linked', 'likely', 'verified', 'dismissed')),
  -- The page of which the owner says that it answers, or will.
  linked_page           text check (length(linked_page) <= 1000),
  -- The last deployment that did not answer.
  open_deployment_id    text collate "C",
  -- The live deployment in which it was asked last.
  checked_deployment_id text collate "C",
  -- The deployment that made it likely or verified, and the section that decided it.
  closed_deployment_id  text collate "C",
  section_url           text,
  section_sha256        text,
  verified_by           text check (verified_by in ('model', 'owner')),
  -- The deployment in which a model was asked for it.
  model_deployment_id   text collate "C",
  changed_at            timestamptz not null default now(),
  -- False while none of its questions has a real word, as in `asdfgh`.
  has_words             boolean not null default true,
  -- Of its conversations, so that gaps can be sorted without counting them.
  question_count        integer not null default 0,
  last_conversation_id  text collate "C" not null default '',
  primary key (project_id, id)
);
create index gap_open on gap (project_id) where state = 'open';

create table gap_conversation (
  project_id      bigint not null,
  conversation_id text collate "C" not null,
  gap_id          text collate "C" not null,
  primary key (project_id, conversation_id),
  foreign key (project_id, gap_id) references gap (project_id, id) on delete cascade
);
create index gap_conversation_of_gap on gap_conversation (project_id, gap_id, conversation_id);

-- Unanswered questions that belong to no gap yet.
create table unsorted_question (
  project_id      bigint not null references project (id) on delete cascade,
  conversation_id text collate "C" not null,
  primary key (project_id, conversation_id)
);

-- Changes by owners, kept for a day so that they can be undone.
create table gap_change (
  project_id bigint not null references project (id) on delete cascade,
  id         text collate "C" not null,
  action     text not null check (action in ('link', 'verify', 'dismiss', 'reopen')),
  at         timestamptz not null default now(),
  -- The gaps as they were.
  before     jsonb not null,
  undone_at  timestamptz,
  primary key (project_id, id)
);

-- What the deployment of a preview would do to the gaps.
create table gap_forecast (
  project_id    bigint not null references project (id) on delete cascade,
  deployment_id text collate "C" not null,
  at            timestamptz not null default now(),
  open_count    integer not null,
  likely_ids    text[] not null,
  lost_ids      text[] not null,
  -- How the answers to the questions in the author's repository change, if it has any.
  answers       jsonb,
  -- How the answers to readers' questions change, if the owner wants them to be asked.
  reader_answers jsonb,
  primary key (project_id, deployment_id)
);

-- Projects with unanswered questions or deployments that the gaps were not asked in yet.
create table gap_work (
  project_id bigint primary key references project (id) on delete cascade,
  since      timestamptz not null default clock_timestamp()
);

grant select, insert, update, delete on gap, gap_conversation, gap_change, gap_forecast, gap_work, unsorted_question
  to octavo_app;

-- Notices ------------------------------------------------------------------------------

create table notice (
  project_id      bigint not null references project (id) on delete cascade,
  kind            text collate "C" not null check (length(kind) between 1 and 50),
  -- What it is about: a build, a key and its expiry, a day or a month. The same is told once.
  subject         text collate "C" not null check (length(subject) between 1 and 100),
  -- What was true when it was found; texts are printed from it.
  facts           jsonb not null,
  at              timestamptz not null default now(),
  -- The webhook of the project was called, for this notice or by another job.
  is_webhook_sent boolean not null default false,
  -- Who has the mail already, while others do not; empty when all have it.
  mailed          text[] not null default '{}',
  mail_count      integer not null default 0,
  delivered_at    timestamptz,
  primary key (project_id, kind, subject)
);
create index notice_newest on notice (project_id, at);
create index notice_undelivered on notice (at) where delivered_at is null;

-- Projects whose assistant may have used most of a budget. Questions note it, since they sum up tokens anyway.
create table notice_work (
  project_id bigint primary key references project (id) on delete cascade,
  since      timestamptz not null default now()
);

grant select, insert, update, delete on notice to octavo_app;
grant select, insert, delete on notice_work to octavo_app;

-- Analytics and feedback ---------------------------------------------------------------

-- Kept for 30 days, one partition a day.
create table event_hour (
  project_id bigint not null,
  hour       timestamptz not null,
  -- `view`, `file`, `not-found`, `agent`, `referrer`, `search`, `search-click`, `mcp`, `playground`
  event      text collate "C" not null check (length(event) <= 20),
  -- A path, a query, the host of a referrer, or the name of an agent or a tool.
  subject    text collate "C" not null check (length(subject) <= 300),
  -- Who it was (`people`, `agents`, `bots`), or what became of it.
  detail     text collate "C" not null check (length(detail) <= 300),
  count      bigint not null,
  primary key (project_id, event, hour, subject, detail)
) partition by range (hour);

-- Kept for 25 months, one partition a month. Has visitors too: how many different ones a page had on the day, and
-- the whole site, which has no subject.
create table event_day (
  project_id bigint not null,
  day        date not null,
  event      text collate "C" not null check (length(event) <= 20),
  subject    text collate "C" not null check (length(subject) <= 300),
  detail     text collate "C" not null check (length(detail) <= 300),
  count      bigint not null,
  last_at    timestamptz not null,
  primary key (project_id, event, day, subject, detail)
) partition by range (day);

-- Each process counts in memory and stores what it counted in numbered batches. A batch that comes twice, because
-- its first reply was lost, is known by its number.
create table event_batch (
  host     uuid primary key,
  sequence bigint not null,
  at       timestamptz not null default now()
);

-- Visitors of today are known by hashes that nobody can make again once the salt of the day is gone. Of many
-- visitors the smallest hashes are kept: how far they reach says how many there are.
create table visitor_salt (
  day  date primary key,
  salt bytea not null
);

create table visitor_set (
  project_id bigint not null references project (id) on delete cascade,
  day        date not null,
  subject    text collate "C" not null check (length(subject) <= 300),
  detail     text collate "C" not null check (length(detail) <= 20),
  hashes     bigint[] not null check (cardinality(hashes) <= 512),
  primary key (project_id, day, subject, detail)
);
create index visitor_set_day on visitor_set (day);

-- What readers, and agents, say about a page.
create table feedback (
  project_id bigint not null references project (id) on delete cascade,
  id         text collate "C" not null,
  -- Chosen by the page of the reader, who can say more about the same thing with it for an hour.
  key        uuid not null,
  source     text not null check (source in ('thumbs_only', 'contextual', 'code_snippet', 'agent')),
  path       text collate "C" not null check (length(path) <= 300),
  helpful    boolean,
  comment    text check (length(comment) <= 1000),
  contact    text check (length(contact) <= 200),
  code       text check (length(code) <= 500),
  filename   text check (length(filename) <= 100),
  lang       text check (length(lang) <= 100),
  status     text not null default 'pending' check (status in ('pending', 'in_progress', 'resolved', 'dismissed')),
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create unique index feedback_key on feedback (project_id, key);

grant select on event_hour, event_day, event_batch, visitor_salt, visitor_set to octavo_app;
grant select, insert, update, delete on feedback to octavo_app;

-- Row-level security ------------------------------------------------------------------------

do $$
declare
  name text;
begin
  -- Rows of a project.
  foreach name in array array[
    'project_slug', 'traffic', 'api_key', 'secret', 'action_count', 'site_access', 'reader_session', 'domain_claim',
    'deployment', 'preview', 'publication', 'project_blob', 'deployment_vectors', 'connection', 'git_ref', 'build',
    'build_log', 'build_cache', 'webhook_delivery', 'conversation_sequence', 'question', 'conversation', 'conversation_detail',
    'conversation_feedback', 'conversation_day', 'erased_conversation', 'import_receipt', 'backfill', 'assistant',
    'assistant_usage', 'gap', 'gap_conversation', 'gap_change', 'gap_forecast', 'gap_work', 'unsorted_question', 'api_comparison', 'sample_proof', 'notice',
    'notice_work', 'event_hour', 'event_day', 'visitor_set', 'feedback'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
  -- Rows of an organization.
  foreach name in array array['project', 'storage_usage', 'audit_event', 'membership', 'invitation'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_organization on %I to octavo_app
      using (organization_id = nullif(current_setting('octavo.organization_id', true), '')::bigint)$policy$, name);
  end loop;
  -- Rows of a person.
  foreach name in array array['user_session', 'user_identity', 'passkey', 'recovery_code'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_user on %I to octavo_app
      using (user_id = nullif(current_setting('octavo.user_id', true), '')::bigint)$policy$, name);
  end loop;
  -- Rows of nobody, which only definer functions read.
  foreach name in array array[
    'sign_in_link', 'used_token', 'sign_in_count', 'sign_in_code', 'device_request', 'event_batch', 'visitor_salt'
  ] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy nobody on %I to octavo_app using (false)', name);
  end loop;
end
$$;

alter table organization enable row level security;
create policy one_organization on organization to octavo_app
  using (id = nullif(current_setting('octavo.organization_id', true), '')::bigint);

-- A person, and the members of the organization.
alter table app_user enable row level security;
create policy one_user on app_user to octavo_app using (
  id = nullif(current_setting('octavo.user_id', true), '')::bigint
  or exists (select from membership m
              where m.user_id = app_user.id
                and m.organization_id = nullif(current_setting('octavo.organization_id', true), '')::bigint));

-- Definer functions -------------------------------------------------------------------------

-- What functions do for the service beyond the one tenant that it is bound to, they do as octavo_definer, not as the
-- owner of the tables. `migrate` creates the role and gives it the functions (definer-functions.ts). It logs in nowhere,
-- owns no table, and has the rights below.

-- Ids, names and times, and no text of tenants: no question, no answer, no secret, no password.
grant select on api_key, app_user, assistant_usage, connection, deployment, domain_claim, gap_work, invitation, membership,
  notice_work, organization, preview, project, project_blob, conversation_sequence, project_slug, publication, storage_usage,
  traffic to octavo_definer;
grant select (project_id, id, conversation_id, leased_until) on question to octavo_definer;
grant select (project_id, id) on conversation to octavo_definer;
grant select (project_id, name, key_id, updated_at) on secret to octavo_definer;
grant select (project_id, previews, epoch) on site_access to octavo_definer;
grant select (project_id, tokens_per_day, tokens_per_month) on assistant to octavo_definer;
grant select (project_id, id, target, state, reported_state, created_at, started_at, finished_at) on build to octavo_definer;
grant select (project_id, kind, subject, at, delivered_at) on notice to octavo_definer;
grant select (user_id, credential_id) on passkey to octavo_definer;

-- Cleaning, of all tenants.
grant delete on api_key, preview, deployment_vectors, organization to octavo_definer;
grant select (received_at), delete on webhook_delivery to octavo_definer;
grant select (began_at), delete on action_count to octavo_definer;
grant select, delete on reader_session, user_session to octavo_definer;
grant select on deployment_vectors to octavo_definer;
grant update (state, finished_at, collected_at) on deployment to octavo_definer;

-- Work that is due, and credentials that are used: a used one moves to the current pepper.
grant update (next_check_at) on connection to octavo_definer;
grant update (last_used_at, token_hash, pepper_id) on api_key to octavo_definer;
grant update (token_hash, pepper_id, last_used_at) on reader_session to octavo_definer;
grant select, insert, update (value) on key_check to octavo_definer;

-- Signing in. Rows of nobody yet belong to these functions alone.
grant select, insert, update, delete on sign_in_code, sign_in_count, device_request to octavo_definer;
grant select, insert, delete on sign_in_link, used_token to octavo_definer;
grant select, insert, delete, update (last_used_at) on user_identity to octavo_definer;
grant select, delete, update (saved_at) on recovery_code to octavo_definer;
-- The first proof of an address revokes what was made before it.
grant update (verified_at) on app_user to octavo_definer;
grant delete on passkey to octavo_definer;
grant insert on app_user, organization, project, conversation_sequence, project_slug to octavo_definer;
grant insert, delete, update (role) on membership to octavo_definer;
-- `for update` needs the right to change a column, here and below.
grant delete, update (role) on invitation to octavo_definer;
grant update (name) on organization to octavo_definer;

-- A project changes hands or is deleted; what happens to it is added to the audit log. Nothing there can be changed or deleted
-- but for the organization that it belongs to.
grant update (organization_id, deleted_at) on project to octavo_definer;
grant insert, select (organization_id, project_id), update (organization_id) on audit_event to octavo_definer;
grant insert, update (bytes) on storage_usage to octavo_definer;

-- Domains, and what hosts and the collection of files tell.
grant insert, update, delete on domain_claim to octavo_definer;
grant select, insert, update, delete on deleted_blob, event_batch, visitor_set to octavo_definer;
grant select, insert, delete on visitor_salt to octavo_definer;
grant select, insert, update on event_hour, event_day to octavo_definer;
grant insert, update (requests, bytes) on traffic to octavo_definer;

-- On every table with row-level security that it has a right to.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relrowsecurity
       and (has_any_column_privilege('octavo_definer', c.oid, 'select, insert, update')
            or has_table_privilege('octavo_definer', c.oid, 'delete'))
     order by 1
  loop
    execute format('create policy definer on public.%I to octavo_definer using (true)', name);
  end loop;
end
$$;
