-- Builds from Git: the repository of a project, what was heard of it, and builds with their logs.

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
  -- The part of the webhook address that nobody can guess.
  hook_id         text collate "C" not null unique check (length(hook_id) between 20 and 64),
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
  -- When open pull requests were first listed: those of before are not all built.
  pulls_listed_at timestamptz,
  next_check_at   timestamptz not null default now(),
  created_at      timestamptz not null default now()
);
create index connection_next_check on connection (next_check_at);

-- Branches and open pull requests as they were last seen.
create table git_ref (
  project_id   bigint not null references project (id) on delete cascade,
  -- The name of a branch, or `pull/<number>` for a pull request from a fork.
  name         text not null check (length(name) between 1 and 250),
  commit_sha   text not null check (length(commit_sha) between 40 and 64),
  -- The commit of the newest build that came to an end which is no accident: finished, failed or skipped.
  built_sha    text check (length(built_sha) between 40 and 64),
  -- Whether it was the branch that is published.
  is_production boolean not null default false,
  pull_request integer,
  pull_url     text check (length(pull_url) <= 2000),
  is_fork      boolean not null default false,
  -- The one comment on the pull request.
  comment_id   text check (length(comment_id) <= 100),
  -- What it tells of: pull request, build, approval.
  comment_key  text check (length(comment_key) <= 100),
  seen_at      timestamptz not null default now(),
  primary key (project_id, name)
);

create table build (
  project_id    bigint not null references project (id) on delete cascade,
  -- A ULID.
  id            text collate "C" not null,
  -- From the same sequence as those of deployments: the deployment of a build takes the number of the build, which
  -- was given when the push was accepted.
  number        bigint not null,
  target        text not null check (target in ('production', 'preview')),
  ref           text not null check (length(ref) between 1 and 250),
  commit_sha    text not null check (length(commit_sha) between 40 and 64),
  message       text check (length(message) <= 1000),
  author        text check (length(author) <= 200),
  pull_request  integer,
  is_fork       boolean not null default false,
  trigger       text not null check (trigger in ('webhook', 'check', 'api', 'schedule', 'retry')),
  state         text not null default 'queued'
    check (state in ('queued', 'fetching', 'building', 'uploading', 'finished', 'failed', 'skipped', 'superseded', 'cancelled')),
  -- Why it failed, was skipped or cancelled, for people.
  reason        text check (length(reason) <= 2000),
  attempts      integer not null default 0,
  wants_cancel  boolean not null default false,
  -- Of a preview that was asked for by the API: its address is told before there is one.
  preview_name  text collate "C" check (length(preview_name) <= 63),
  deployment_id text collate "C",
  error_count   integer not null default 0,
  warning_count integer not null default 0,
  -- As `octavo check --json` prints them; the first thousand.
  diagnostics   jsonb not null default '[]',
  -- Files of the documentation folder that the build did not read, compressed: what changes there needs no build.
  unread_files  bytea,
  created_at    timestamptz not null default now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  -- The state that the provider was told last; empty until then.
  told_state    text,
  -- Why the provider could not be told, for the owner.
  told_error    text check (length(told_error) <= 2000),
  -- The owner's webhook was told of its end, or there is none.
  is_announced  boolean not null default false,
  primary key (project_id, id),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
);
create unique index build_number on build (project_id, number);
create index build_ref on build (project_id, ref, number);
create index build_untold on build (project_id) where state is distinct from told_state;
create index build_unannounced on build (project_id) where not is_announced and state in ('failed', 'superseded');
create index build_open on build (project_id, number) where state in ('queued', 'fetching', 'building', 'uploading');

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
create table hook_delivery (
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
create unique index hook_delivery_accepted on hook_delivery (project_id, delivery_id) where status = 202;
create index hook_delivery_received on hook_delivery (received_at);
create index hook_delivery_recent on hook_delivery (project_id, received_at);

do $$
declare
  name text;
begin
  foreach name in array array['connection', 'git_ref', 'build', 'build_log', 'build_cache', 'hook_delivery'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select, insert, update, delete on connection, git_ref to octavo_app;
grant select, insert, update on build, build_cache to octavo_app;
grant select, insert on build_log to octavo_app;
grant select, insert on hook_delivery to octavo_app;

-- Scripts of authors run in the preview of a fork once a maintainer has approved the deployment.
alter table preview add column runs_scripts boolean not null default true;
