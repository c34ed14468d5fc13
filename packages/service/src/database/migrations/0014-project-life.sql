-- The life of projects and organisations: short names that change, archives, deletion.

alter table project
  -- While it is archived, its site is not served and nothing is added to it.
  add column archived_at timestamptz,
  -- Readers and callers do not find it from then on. Its rows go 7 days later, in batches.
  add column deleted_at timestamptz;

-- Its members do not find it from then on. It goes once its last project is gone.
alter table organisation add column deleted_at timestamptz;

-- All short names that a project has and had. Readers of an old one are sent on, so it belongs to its project
-- for as long as there is a row of that.
create table project_slug (
  project_id bigint not null references project (id) on delete cascade,
  slug       text not null unique,
  since      timestamptz not null default now(),
  primary key (project_id, slug)
);
insert into project_slug (project_id, slug, since) select id, slug, created_at from project;

-- With the rights of the owner: whether a name is taken is a question about all projects.
create function keep_slug() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into project_slug (project_id, slug) values (new.id, new.slug) on conflict (slug) do nothing;
  if not exists (select from project_slug s where s.project_id = new.id and s.slug = new.slug) then
    raise unique_violation using message = 'the slug was taken before', constraint = 'project_slug_slug_key';
  end if;
  return null;
end
$$;
revoke execute on function keep_slug() from public;
create trigger slug_kept after insert or update of slug on project for each row execute function keep_slug();

alter table project_slug enable row level security;
create policy one_project on project_slug to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);

-- What is deleted is looked for every hour, and there is little of it.
create index project_deleted on project (deleted_at) where deleted_at is not null;
create index organisation_deleted on organisation (deleted_at) where deleted_at is not null;

grant select on project_slug to octavo_app;
grant update (slug, archived_at, deleted_at) on project to octavo_app;
grant update (name, deleted_at) on organisation to octavo_app;
