-- Sites that are hosted: deployments, the blobs that a project has, and which deployment is live.

create table deployment (
  project_id      bigint not null references project (id) on delete cascade,
  -- A ULID.
  id              text collate "C" not null,
  -- The order in which deployments were accepted. A later one is never replaced by an earlier one
  -- that took longer.
  number          bigint not null,
  state           text not null default 'uploading' check (state in ('uploading', 'ready', 'failed', 'cancelled', 'expired')),
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
  primary key (project_id, id)
);
create unique index deployment_number on deployment (project_id, number);
create index deployment_uploading on deployment (created_at) where state = 'uploading';
create index deployment_published on deployment (project_id, published_at) where published_at is not null;
create unique index deployment_idempotency on deployment (project_id, idempotency_key) where idempotency_key is not null;

-- Blobs that a project has sent. What others have sent is missing to it, so nobody learns of it.
create table project_blob (
  project_id bigint not null references project (id) on delete cascade,
  sha256     bytea not null check (length(sha256) = 32),
  size       bigint not null check (size >= 0),
  stored_at  timestamptz not null default now(),
  primary key (project_id, sha256)
);

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

do $$
declare
  name text;
begin
  foreach name in array array['deployment', 'project_blob', 'publication'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select, insert, update on deployment, publication to octavo_app;
grant select, insert, delete on project_blob to octavo_app;
