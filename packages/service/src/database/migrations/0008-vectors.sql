-- Vectors of the sections of deployments, so that the assistant finds by meaning too. They are a blob
-- beside the files of the deployment, and go with it.

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

alter table deployment_vectors enable row level security;
create policy one_project on deployment_vectors to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, update, delete on deployment_vectors to octavo_app;
