-- Questions that the documentation does not answer, gathered into gaps. No table here holds what a
-- reader wrote: a gap knows the ids of its conversations, and goes with the last of them.

create table gap (
  project_id     bigint not null references project (id) on delete cascade,
  id             text collate "C" not null,
  state          text not null default 'open'
                 check (state in ('open', 'linked', 'likely', 'verified', 'dismissed')),
  -- The page of which the owner says that it answers, or will.
  linked_page    text check (length(linked_page) <= 1000),
  -- The last deployment that did not answer.
  open_in        text collate "C",
  -- The live deployment in which it was asked last.
  checked_in     text collate "C",
  -- The deployment that made it likely or verified, and the section that decided it.
  closed_in      text collate "C",
  section_url    text,
  section_sha256 text,
  verified_by    text check (verified_by in ('model', 'owner')),
  -- The deployment in which a model was asked for it.
  model_asked_in text collate "C",
  changed_at     timestamptz not null default now(),
  primary key (project_id, id)
);

create table gap_conversation (
  project_id      bigint not null,
  conversation_id text collate "C" not null,
  gap_id          text collate "C" not null,
  primary key (project_id, conversation_id),
  foreign key (project_id, gap_id) references gap (project_id, id) on delete cascade
);
create index gap_conversation_of_gap on gap_conversation (project_id, gap_id, conversation_id);

-- What the deployment of a preview would do to the gaps.
create table gap_forecast (
  project_id    bigint not null references project (id) on delete cascade,
  deployment_id text collate "C" not null,
  at            timestamptz not null default now(),
  open_count    integer not null,
  likely_ids    text[] not null,
  lost_ids      text[] not null,
  primary key (project_id, deployment_id)
);

-- Projects with unanswered questions or deployments that the gaps were not asked in yet.
create table gap_work (
  project_id bigint primary key references project (id) on delete cascade,
  since      timestamptz not null default clock_timestamp()
);

do $$
declare
  name text;
begin
  foreach name in array array['gap', 'gap_conversation', 'gap_forecast', 'gap_work'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select, insert, update, delete on gap, gap_conversation, gap_forecast, gap_work to octavo_app;
